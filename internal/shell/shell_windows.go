package shell

import "io/fs"

var executableSuffixes = []string{".exe"}

func executable(_ string, st fs.FileInfo) bool { return st.Mode().IsRegular() }
