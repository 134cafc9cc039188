// Package packaging has no code of its own. It holds the description of the packages; its tests install pi the ways a
// user does.
package packaging
