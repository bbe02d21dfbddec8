# Turns text files into one C table of {name, text}, ended by {0, 0}: the base name, or, with below=FOLDER/, the path below it.
#   struct embedded { const char *name, *text; }; const struct embedded NAME[];
BEGIN { printf "struct embedded { const char *name, *text; };\nextern const struct embedded %s[];\nconst struct embedded %s[] = {\n", name, name }
FNR == 1 { if (open) print "},"; base = FILENAME; if (below) base = substr(base, length(below) + 1); else sub(/.*\//, "", base); printf "{\"%s\",\n", base; open = 1 }
{ line = $0; gsub(/\\/, "\\\\", line); gsub(/"/, "\\\"", line); printf "\"%s\\n\"\n", line }
END { if (open) print "},"; print "{0, 0}};" }
