package run

func enterable(string) bool { return true } // Windows lets everyone traverse
