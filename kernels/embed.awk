# Turns text files into one C table of {base name, text}, ended by {0, 0}:
#   struct embedded { const char *name, *text; }; const struct embedded NAME[];
BEGIN { printf "struct embedded { const char *name, *text; };\nextern const struct embedded %s[];\nconst struct embedded %s[] = {\n", name, name }
FNR == 1 { if (open) print "},"; base = FILENAME; sub(/.*\//, "", base); printf "{\"%s\",\n", base; open = 1 }
{ line = $0; gsub(/\\/, "\\\\", line); gsub(/"/, "\\\"", line); printf "\"%s\\n\"\n", line }
END { if (open) print "},"; print "{0, 0}};" }
