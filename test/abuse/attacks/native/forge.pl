# Speaks FastCGI to sockets by itself, as the web server would, for a script of somebody else's choice.
use strict; use warnings; use Socket;
my ($script, @sockets) = @ARGV;
sub record { my ($type, $body) = @_; pack('C C n n C C a*', 1, $type, 1, length $body, 0, 0, $body) }
my %wanted = (REQUEST_METHOD => 'GET', SCRIPT_FILENAME => $script, SCRIPT_NAME => '/x.php', PHP_ADMIN_VALUE => "open_basedir = /\ndisable_functions =\nauto_prepend_file = $script", PHP_VALUE => 'allow_url_include = 1');
my $told = join '', map { pack('C N a* a*', length $_, 0x80000000 | length $wanted{$_}, $_, $wanted{$_}) } keys %wanted;
for my $path (@sockets) {
  socket(my $socket, AF_UNIX, SOCK_STREAM, 0);
  connect($socket, sockaddr_un($path)) or next;
  print "connected $path\n";
  syswrite $socket, record(1, pack('n C x5', 1, 0)) . record(4, $told) . record(4, '') . record(5, '');
  eval { local $SIG{ALRM} = sub { die }; alarm 2; sysread($socket, my $text, 65536); print "got $path: $text\n"; alarm 0 };
  alarm 0;
}
print "tried\n";
