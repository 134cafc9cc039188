package drain

const fionread = 0x4004667f // FIONREAD of <sys/filio.h>
