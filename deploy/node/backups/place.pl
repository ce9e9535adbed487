# Runs as a client, in its cage: puts what was unpacked in FROM, a whole site's folder, in the place of PATH of the
# site at TO. What was there ends up in FROM, which is then removed. Run again it ends the same.
use strict;
use warnings;
use Errno qw(ENOENT);
use POSIX ();

my $RENAMEAT2 = ( POSIX::uname() )[4] eq 'x86_64' ? 316 : 276;
my $AT_FDCWD  = -100;
my $EXCHANGE  = 2;
my %KEPT      = map { $_ => 1 } qw(. .. .controlpanel registros);

my ( $from, $to, $path ) = @ARGV;
die "usage: FROM TO PATH\n" unless defined $path;
if   ( $path eq '/' ) { place_folder($_) for names($from) }
else                  { place_one($path) }
exit 0;

# What the site's folder holds belongs to root: its own content is exchanged.
sub place_folder {
    my ($name) = @_;
    return unless -d "$from/$name" && !-l "$from/$name" && -d "$to/$name" && !-l "$to/$name";
    my %wanted = map { $_ => 1 } names("$from/$name");
    for my $entry ( names("$to/$name") ) {
        next if $wanted{$entry};
        move( "$to/$name/$entry", "$from/$name/$entry" );
    }
    place( "$from/$name/$_", "$to/$name/$_" ) for keys %wanted;
}

sub place_one {
    my ($where) = @_;
    my $above = '';
    my @parts = grep { length } split m{/}, $where;
    pop @parts;
    for (@parts) {
        $above .= "/$_";
        mkdir "$to$above", 0777;
    }
    if ( -d "$from$where" && !-l "$from$where" && @parts == 0 ) { place_folder( substr $where, 1 ) }
    else                                                       { place( "$from$where", "$to$where" ) }
}

sub place {
    my ( $new, $old ) = @_;
    # Both are names without a zero byte, which the kernel reads up to.
    return if syscall( $RENAMEAT2, $AT_FDCWD, "$new", $AT_FDCWD, "$old", $EXCHANGE ) == 0;
    die "$old: $!\n" unless $! == ENOENT;
    move( $new, $old );
}

sub move {
    my ( $new, $old ) = @_;
    rename $new, $old or die "$old: $!\n";
}

sub names {
    my ($folder) = @_;
    opendir my $open, $folder or die "$folder: $!\n";
    return grep { !$KEPT{$_} } readdir $open;
}
