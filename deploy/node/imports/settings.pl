# Runs as a client, in its cage: where a program's settings below FOLDER name a database OLD, they get its name NEW and
# are told to reach it by the socket, as USER and without a password. Says each file that it changed.
use strict;
use warnings;
use Fcntl qw(O_RDONLY O_WRONLY O_CREAT O_EXCL O_NOFOLLOW);
use File::Find ();

my ( $folder, $socket, $user, %new ) = @ARGV;
die "usage: FOLDER SOCKET USER OLD NEW ...\n" unless defined $user;
my $LARGEST = 1_048_576;
my $DEPTH   = 4;
my %change  = ( 'wp-config.php' => \&wordpress, '.env' => \&environment, 'configuration.php' => \&joomla );

File::Find::find( { no_chdir => 1, preprocess => \&nearby, wanted => \&look }, $folder );
exit 0;

sub nearby {
    return ( substr( $File::Find::dir, length $folder ) =~ tr{/}{} ) < $DEPTH ? @_ : ();
}

sub look {
    my ($name) = m{([^/]+)\z};
    my $changed = $change{ $name // '' } or return;
    return if -l $_ || !-f _ || -s _ > $LARGEST;
    my $path = $_;
    sysopen my $in, $path, O_RDONLY | O_NOFOLLOW or return;
    my $text = do { local $/ = undef; <$in> };
    close $in;
    my $mode = ( stat $path )[2] & 0777;
    my $after = $changed->($text);
    return unless defined $after;
    sysopen my $out, "$path.controlpanel", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, $mode or die "$path: $!\n";
    print {$out} $after and close $out or die "$path: $!\n";
    rename "$path.controlpanel", $path or die "$path: $!\n";
    print substr( $path, 1 + length $folder ), "\n";
}

# A value in PHP's single quotes.
sub quoted {
    my ($text) = @_;
    $text =~ s/([\\'])/\\$1/g;
    return "'$text'";
}

sub wordpress {
    my ($text) = @_;
    my $define = qr/define\s*\(\s*(['"])DB_NAME\g{-1}\s*,\s*(['"])([^'"]*)\g{-2}\s*\)/;
    return unless $text =~ $define && defined $new{$3};
    my %set = ( DB_NAME => $new{$3}, DB_USER => $user, DB_PASSWORD => '', DB_HOST => "localhost:$socket" );
    for my $key ( keys %set ) {
        my $value = quoted( $set{$key} );
        $text =~ s/define\s*\(\s*(['"])$key\g{-1}\s*,\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\)/define('$key', $value)/g;
    }
    return $text;
}

sub joomla {
    my ($text) = @_;
    return unless $text =~ /^\s*(?:public|var)\s+\$db\s*=\s*'([^']*)'\s*;/m && defined $new{$1};
    my %set = ( db => $new{$1}, user => $user, password => '', host => "localhost:$socket" );
    for my $key ( keys %set ) {
        my $value = quoted( $set{$key} );
        $text =~ s/^(\s*(?:public|var)\s+\$$key\s*=\s*)'(?:[^'\\]|\\.)*'\s*;/$1$value;/m;
    }
    return $text;
}

# Laravel's: its socket is a setting of its own.
sub environment {
    my ($text) = @_;
    return unless $text =~ /^DB_DATABASE=(["']?)([^"'\r\n]*)\g1[ \t]*\r?$/m && defined $new{$2};
    my %set = ( DB_DATABASE => $new{$2}, DB_USERNAME => $user, DB_PASSWORD => '', DB_HOST => 'localhost', DB_SOCKET => $socket );
    for my $key ( sort keys %set ) {
        $text =~ s/^$key=.*$/$key=$set{$key}/m or $text =~ s/\n?\z/\n$key=$set{$key}\n/;
    }
    return $text;
}
