# Leaves what a careless customer leaves: everywhere, and open to everybody. Arguments: whose, the secret, a port.
use strict; use warnings; use Socket; use POSIX ();
my ($whose, $secret, $port) = @ARGV;
$SIG{CHLD} = 'IGNORE';
umask 0;
for my $path ("/tmp/left-$whose", "/var/tmp/left-$whose", "/dev/shm/left-$whose", "/run/lock/left-$whose", "libre/left-$whose") {
  open(my $file, '>', $path) or next;
  print $file $secret; close $file;
}
my $segment = shmget(0x7a000000 + $port, 256, 0666 | 01000);
shmwrite($segment, $secret, 0, length $secret) if defined $segment;
my $queue = msgget(0x7a000000 + $port, 0666 | 01000);
msgsnd($queue, pack('l! a*', 1, $secret), 04000) if defined $queue;
sub serve {
  my ($socket, $name) = @_;
  bind($socket, $name) && listen($socket, 5) or return;
  fork and return;
  POSIX::setsid();
  alarm 60;
  while (accept(my $peer, $socket)) { syswrite $peer, $secret; close $peer }
  exit;
}
socket(my $abstract, AF_UNIX, SOCK_STREAM, 0); serve($abstract, pack('S a*', AF_UNIX, "\0left-$whose"));
unlink 'libre/socket';
socket(my $path, AF_UNIX, SOCK_STREAM, 0); serve($path, pack_sockaddr_un('libre/socket'));
socket(my $tcp, PF_INET, SOCK_STREAM, 0); setsockopt($tcp, SOL_SOCKET, SO_REUSEADDR, 1); serve($tcp, pack_sockaddr_in($port, INADDR_LOOPBACK));
if (!fork) { POSIX::setsid(); $ENV{LEFT} = $secret; exec { 'sleep' } "sleep $secret", 60 or exec 'sleep', 60 }
print "left\n";
