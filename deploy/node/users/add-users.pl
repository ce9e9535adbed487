#!/usr/bin/perl
# Makes many users, each with a group of its own, in one go: useradd(8) and groupadd(8) write and flush four files for
# every single one. Arguments: <name>:<number>:<home>. All or, where a name or number is taken, none; what a crash
# leaves, groups without users, the caller finds and completes.
use strict;
use warnings;
use Fcntl qw(:DEFAULT F_WRLCK SEEK_SET);
use IO::Handle;

# As useradd(8) ends: the files are locked, a name or number is taken.
use constant { BUSY => 1, USAGE => 2, TAKEN => 9 };
use constant WAIT_SECONDS => 15;

sub refuse { my ( $code, $why ) = @_; print STDERR "$why\n"; exit $code }

my @wanted = map { /^([a-z][a-z0-9]{0,30}):([1-9][0-9]{3,9}):(\/[^:\n]*)\z/ ? [ $1, $2, $3 ] : refuse( USAGE, 'no user' ) } @ARGV;

# lckpwdf(3): every program that changes these files takes this lock first. struct flock of a 64-bit Linux.
sysopen my $lock, '/etc/.pwd.lock', O_WRONLY | O_CREAT, 0600 or refuse( BUSY, "/etc/.pwd.lock: $!" );
local $SIG{ALRM} = sub { refuse( BUSY, 'another program holds /etc/.pwd.lock' ) };
alarm WAIT_SECONDS;
my $whole = pack 's s x4 q q i x4', F_WRLCK, SEEK_SET, 0, 0, 0;
fcntl $lock, F_SETLKW, $whole or refuse( BUSY, "/etc/.pwd.lock: $!" );
alarm 0;

my %text = map { $_ => text_of("/etc/$_") } qw(group gshadow passwd shadow);
for my $file (qw(group passwd)) {
    my ( %name, %number );
    for ( split /\n/, $text{$file} // '' ) { my @field = split /:/; $name{ $field[0] } = $number{ $field[2] // '' } = 1 }
    for (@wanted) { refuse( TAKEN, "/etc/$file: $_->[0] or $_->[1] is taken" ) if $name{ $_->[0] }++ || $number{ $_->[1] }++ }
}
my $day = int( time / 86_400 );
add( group   => map { "$_->[0]:x:$_->[1]:" } @wanted );
add( gshadow => map { "$_->[0]:!::" } @wanted );
add( shadow  => map { "$_->[0]:!:$day:0:99999:7:::" } @wanted );
add( passwd  => map { "$_->[0]:x:$_->[1]:$_->[1]::$_->[2]:/usr/sbin/nologin" } @wanted );

# Undefined where there is no such file: a machine may do without shadows.
sub text_of {
    my ($path) = @_;
    open my $file, '<', $path or return;
    local $/;
    my $text = <$file> // '';
    return $text eq '' || $text =~ /\n\z/ ? $text : "$text\n";
}

# A new file in the old one's place, as its owner had it, so that nobody ever reads half of one.
sub add {
    my ( $name, @lines ) = @_;
    return unless defined $text{$name};
    my $path = "/etc/$name";
    my ( $mode, $uid, $gid ) = ( stat $path )[ 2, 4, 5 ] or refuse( BUSY, "$path: $!" );
    unlink "$path.panel";
    sysopen my $file, "$path.panel", O_WRONLY | O_CREAT | O_EXCL, 0600 or refuse( BUSY, "$path.panel: $!" );
    my $kept = chown( $uid, $gid, $file ) && chmod( $mode & 07777, $file )
        && print( {$file} $text{$name}, map { "$_\n" } @lines ) && $file->flush && $file->sync && close $file;
    return if $kept && rename "$path.panel", $path;
    my $why = $!;
    unlink "$path.panel";
    refuse( BUSY, "$path: $why" );
}
