# Gathers what others left where all may look: prints whatever it can read there.
use strict; use warnings; use Socket;
my ($what, @words) = @ARGV;
sub head { my ($path) = @_; open(my $file, '<', $path) or return; read($file, my $text, 4096); print "got $path: $text\n" }
sub peer { my ($socket, $name, $told) = @_;
  eval { local $SIG{ALRM} = sub { die }; alarm 1;
    if (connect($socket, $name)) { print "connected $told\n"; syswrite($socket, "GET / HTTP/1.0\r\n\r\n"); sysread($socket, my $text, 4096); print "got $told: $text\n" }
    alarm 0 }; alarm 0 }
if ($what eq 'segments') {
  # By number as by key: whatever there is.
  for my $number (0 .. 200) { my $text = ''; print "got segment $number: $text\n" if shmread($number, $text, 0, 100) }
  for my $number (0 .. 200) { my $text = ''; print "got message $number: $text\n" if msgrcv($number, $text, 256, 0, 04000) }
}
if ($what eq 'shared') { head($_) for glob('/dev/shm/* /tmp/* /tmp/*/* /var/tmp/* /run/lock/* /var/lib/php/sessions/*') }
if ($what eq 'sockets') {
  my %seen;
  if (open my $list, '<', '/proc/net/unix') { while (<$list>) { $seen{$1}++ if m{ ([/@]\S*)$} } }
  $seen{$_}++ for @words;
  for my $path (sort keys %seen) {
    (my $name = $path) =~ s/^@/\0/;
    for my $type (SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET) { socket(my $socket, AF_UNIX, $type, 0) or next; eval { peer($socket, pack('S a*', AF_UNIX, $name), $path) } if length $name < 108 }
  }
  print 'tried ', scalar(keys %seen), "\n";
}
if ($what eq 'ports') {
  my %ports = map { $_ => 1 } @words;
  for my $table ('/proc/net/tcp', '/proc/net/tcp6') { open my $list, '<', $table or next; while (<$list>) { $ports{hex $1} = 1 if /^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) 0+:0000 0A/ } }
  for my $port (sort { $a <=> $b } keys %ports) { socket(my $socket, PF_INET, SOCK_STREAM, 0); peer($socket, pack_sockaddr_in($port, INADDR_LOOPBACK), "port $port") }
  print "tried\n";
}
if ($what eq 'devices') {
  my @left = ('/dev');
  while (defined(my $directory = shift @left)) {
    opendir(my $all, $directory) or next;
    for my $name (grep !/^\.\.?$/, readdir $all) {
      my $path = "$directory/$name";
      next if -l $path;
      if (-d _) { push @left, $path; next }
      next unless -c _ || -b _;
      for my $mode ('<', '+<') { print "opened $path $mode\n" if sysopen(my $file, $path, $mode eq '<' ? 04000 | 0400 : 04002 | 0400) }
    }
  }
}
