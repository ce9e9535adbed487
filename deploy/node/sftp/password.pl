#!/usr/bin/perl
# Checks the password of an SFTP account, for pam_exec(8): the account's name comes in PAM_USER, the address in
# PAM_RHOST, the password on the standard input. Runs as root in the view that launch.pl makes.
#
# A right password is always taken at once. A wrong one is answered later the more there were from its address lately;
# the server bounds how many logins of one address wait (PerSourceMaxStartups).
#
# Only modules of perl-base.
use strict;
use warnings;
use Fcntl qw(:DEFAULT :flock);

my $GUESSES = '/run/guesses';
my $LATELY  = 600;
my $FREE    = 3;     # so many mistakes cost nothing
my $LONGEST = 10;    # seconds
my $MOST    = 2000;  # addresses kept in mind
# Of a password that nobody has: an account that does not exist takes as long.
my $NOBODY = '$2b$10$abcdefghijklmnopqrstuu4T826PRnz0Hu6YlprUuxkZxOOj5Fw5S';

my ( $base, $account, $address ) = ( $ARGV[0], $ENV{PAM_USER} // '', $ENV{PAM_RHOST} // '' );
my $password = do { local $/ = undef; <STDIN> } // '';
$password =~ s/\0.*//s;

if ( is_right( secret_of($account), $password ) ) {
    if ( open my $used, '>', "$base/ssh/used/$account.password" ) { close $used }
    exit 0;
}
my $count = noted( key_of($address) );
my $wait  = $count - $FREE;
sleep( $wait > $LONGEST ? $LONGEST : $wait ) if $wait > 0;
exit 1;

sub secret_of {
    my ($name) = @_;
    return unless $name =~ /^[a-z0-9][a-z0-9._-]*$/;
    open my $file, '<', "/etc/secrets/$name" or return;
    chomp( my $secret = <$file> // '' );
    return $secret;
}

sub is_right {
    my ( $secret, $given ) = @_;
    my $made = crypt( $given, $secret // $NOBODY );
    return defined $secret && length $secret > 20 && defined $made && $made eq $secret;
}

# All addresses of one IPv6 network are one.
sub key_of {
    my ($given) = @_;
    return $given =~ /^[\d.]{7,15}$/ ? $given : 'unknown' unless $given =~ /:/;
    my ( $head, $tail ) = split /::/, $given, 2;
    my @groups = split /:/, $head;
    if ( defined $tail ) {
        my @last = split /:/, $tail;
        push @groups, (0) x ( 8 - @groups - @last ), @last;
    }
    return join '-', map { sprintf '%x', hex } @groups[ 0 .. 3 ];
}

# Notes one more and answers how many there were lately.
sub noted {
    my ($key) = @_;
    forget();
    sysopen my $file, "$GUESSES/$key", O_RDWR | O_CREAT, 0600 or return $LONGEST + $FREE;
    flock $file, LOCK_EX;
    my $now    = time;
    my @recent = grep { /^\d+$/ && $_ <= $now && $_ > $now - $LATELY } map { s/\n//r } <$file>;
    push @recent, $now;
    splice @recent, 0, @recent - 20 if @recent > 20;
    seek $file, 0, 0;
    truncate $file, 0;
    print {$file} map { "$_\n" } @recent;
    close $file;
    return scalar @recent;
}

# Addresses that were quiet for long; of too many, any.
sub forget {
    opendir my $names, $GUESSES or return;
    my @names = grep { !/^\./ } readdir $names;
    return if @names < $MOST / 2;
    for my $name (@names) {
        my $changed = ( stat "$GUESSES/$name" )[9] // 0;
        unlink "$GUESSES/$name" if @names > $MOST || $changed < time - $LATELY;
    }
}
