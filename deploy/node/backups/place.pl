# Runs as a client, in its cage: puts what was unpacked in FROM, a whole site's folder, in the place of PATH of the
# site at TO. What was there ends up in FROM, which is then removed. What the client may not read, which nothing has
# copied, stays where it is, and some of its names are told. Run again it ends the same.
use strict;
use warnings;
use Errno qw(EACCES ENOENT);
use POSIX qw(R_OK W_OK X_OK);

my $RENAMEAT2 = ( POSIX::uname() )[4] eq 'x86_64' ? 316 : 276;
my $AT_FDCWD  = -100;
my $EXCHANGE  = 2;
my $MOST      = 20;
my %KEPT      = map { $_ => 1 } qw(. .. .controlpanel registros);

my ( $from, $to, $path ) = @ARGV;
die "usage: FROM TO PATH\n" unless defined $path;
# What may not be read below what is replaced, and the folders above that, which stay for its sake.
my ( %closed, %above, @told );
if ( $path eq '/' ) {
    look( $to, "/$_" ) for names($from);
    place_folder($_)   for names($from);
}
else {
    look( $to, $path );
    if ( $closed{"$to$path"} ) { $! = EACCES; die "$to$path: $!\n" }
    place_one($path);
}
print map { tr/\n/ /r . "\n" } sort @told;
exit 0;

sub look {
    my ( $root, @waiting ) = @_;
    while ( defined( my $name = shift @waiting ) ) {
        my $at = "$root$name";
        next if -l $at || !-e _ || ( !-d _ && !-f _ );
        my $is_folder = -d _;
        if ( POSIX::access( $at, $is_folder ? R_OK | X_OK : R_OK ) ) {
            push @waiting, map { "$name/$_" } within($at) if $is_folder;
            next;
        }
        $closed{$at} = 1;
        $above{"$root$name"} = 1 while $name =~ s{/[^/]*\z}{} && $name ne '';
    }
}

sub leave {
    my ($at) = @_;
    push @told, substr $at, length $to if @told < $MOST;
}

# What the site's folder holds belongs to root: its own content is exchanged.
sub place_folder {
    my ($name) = @_;
    return unless -d "$from/$name" && !-l "$from/$name" && -d "$to/$name" && !-l "$to/$name";
    exchange( "$from/$name", "$to/$name", \&names );
}

sub exchange {
    my ( $new, $old, $listed ) = @_;
    my %wanted = map { $_ => 1 } $listed->($new);
    for my $entry ( $listed->($old) ) {
        put_away( "$old/$entry", "$new/$entry" ) unless $wanted{$entry};
    }
    place( "$new/$_", "$old/$_" ) for keys %wanted;
}

sub put_away {
    my ( $old, $new ) = @_;
    return leave($old) if $closed{$old} || !may_change($old);
    return move( $old, $new ) unless $above{$old};
    mkdir $new or die "$new: $!\n";
    put_away( "$old/$_", "$new/$_" ) for within($old);
}

# Whether a folder that stays can lose what it holds.
sub may_change {
    my ($old) = @_;
    return !$above{$old} || POSIX::access( $old, W_OK | X_OK );
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
    return leave($old) if $closed{$old} || !may_change($old);
    if ( $above{$old} ) {
        return -d $new && !-l $new ? exchange( $new, $old, \&within ) : leave($old);
    }
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
    return grep { !$KEPT{$_} } within($folder);
}

sub within {
    my ($folder) = @_;
    opendir my $open, $folder or die "$folder: $!\n";
    return grep { !/\A\.\.?\z/ } readdir $open;
}
