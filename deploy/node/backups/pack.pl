# Runs as a client, in its cage: packs a site with tar, and tells at the end, on stderr, what tar could not read: what
# the client may not read ("closed NAME"), of which only some are named, and whether anything else of PATH
# ("lost NAME"). Ends as tar does.
use strict;
use warnings;

my $MOST     = 20;
my $CHANGED  = qr/: (?:file changed as we read it|File removed before we read it|File shrank by .*)$/;
my $HARMLESS = qr/: (?:(?:socket|door) ignored|Exiting with failure status .*)$/;

my ( $path, @tar ) = @ARGV;
die "usage: PATH TAR...\n" unless @tar;
pipe my $said, my $saying or die "pipe: $!\n";
my $child = fork // die "fork: $!\n";
if ( $child == 0 ) {
    open STDERR, '>&', $saying or die "stderr: $!\n";
    exec { $tar[0] } @tar or die "$tar[0]: $!\n";
}
close $saying;

my ( @closed, $lost );
while ( my $line = <$said> ) {
    chomp $line;
    next if $line =~ $CHANGED || $line =~ $HARMLESS;
    if ( $line =~ m{^\S+: \.(/.*|): Cannot \w+: Permission denied$} ) {
        push @closed, plain($1) if @closed < $MOST;
    }
    elsif ( !defined $lost ) {
        my ($name) = $line =~ m{^\S+: \.(/.*?): [A-Z]};
        $lost = plain( $name // $line ) if !defined $name || concerns( plain($name) );
    }
}
waitpid $child, 0;
print STDERR map { tr/\n/ /r . "\n" } ( map { "closed $_" } @closed ), defined $lost ? "lost $lost" : ();
exit( $? & 127 ? 128 + ( $? & 127 ) : $? >> 8 );

# tar writes all but printable characters of a name as octal numbers or letters.
sub plain {
    my ($name) = @_;
    my %short = ( a => "\a", b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", v => "\x0b" );
    $name =~ s/\\([0-7]{3}|.)/length $1 == 3 ? chr oct $1 : $short{$1} \/\/ $1/ge;
    return $name;
}

sub concerns {
    my ($name) = @_;
    return $path eq '/' || $name eq '' || within( $name, $path ) || within( $path, $name );
}

sub within {
    my ( $inner, $outer ) = @_;
    return $inner eq $outer || index( $inner, "$outer/" ) == 0;
}
