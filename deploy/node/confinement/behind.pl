# Run with -e: puts itself into the group of what stays behind the served sites, and becomes the program that is named.
#
#   CONTROL PROGRAM ARGUMENT…   CONTROL is the control socket of the keeper
#
# Without a keeper or without groups the program runs all the same. Only modules of perl-base.
use strict;
use warnings;
use Socket;

my ( $path, @program ) = @ARGV;
socket my $keeper, AF_UNIX, SOCK_STREAM, 0 or die "socket: $!\n";
if ( connect $keeper, sockaddr_un($path) ) {
    setsockopt $keeper, SOL_SOCKET, SO_RCVTIMEO, pack 'l!l!', 5, 0;
    syswrite $keeper, "behind $$\n";
    sysread $keeper, my $answer, 200;
}
exec { $program[0] } @program or die "$program[0]: $!\n";
