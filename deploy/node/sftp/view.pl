#!/usr/bin/perl
# Makes what a session of an SFTP account sees, for pam_namespace(8), which runs this as root at each login, in a
# mount namespace that is the session's own and with an empty /run/v: the root directory that the session gets.
#
#   /etc/accounts/<account>  a link to <client>_<uid>_<gid>_<site or 0>_<r or w>
#   /etc/base                the base directory of the node's web part
#
# Whatever goes wrong ends the session. Only modules of perl-base.
use strict;
use warnings;
use Socket;

umask 0022;
my $VIEW = '/run/v';
my ( undef, undef, undef, $account ) = @ARGV;
# The server's process for this connection, which is about to become the client's.
my $session = getppid;

eval { show(); 1 } or do {
    print STDERR "session of $account refused: $@";
    kill 'KILL', $session;
    exit 1;
};

sub show {
    my ( $client, $site ) = account();
    open my $file, '<', '/etc/base' or die "base: $!\n";
    chomp( my $base = <$file> );
    join_group( $base, $client );
    my $home = "$base/c/$client";
    if ($site) { show_site( $base, $site, "$home/$site", $VIEW ) }
    else       { show_all( $base, $home ) }
    if ( open my $used, '>', "$base/ssh/used/$account" ) { close $used }
}

# It may have been taken away since the password was checked.
sub account {
    $account =~ /^([a-z0-9][a-z0-9._-]*)$/ or die "no account\n";
    my $told = readlink "/etc/accounts/$1" // die "no such account\n";
    $told =~ /^([1-9]\d*)_[1-9]\d*_[1-9]\d*_(\d+)_[rw]$/ or die "account not understood\n";
    return ( $1, $2 );
}

sub show_all {
    my ( $base, $home ) = @_;
    mkdir "$VIEW/sitios", 0755 or die "sitios: $!\n";
    opendir my $names, $home or die "client's directory: $!\n";
    for my $site ( sort { $a <=> $b } grep { /^[1-9]\d*$/ } readdir $names ) {
        # One that is being made or taken away has none.
        open my $file, '<', "$base/m/$site.json" or next;
        my ($domain) = <$file> =~ /"domain":"([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)"/ or next;
        mkdir "$VIEW/sitios/$domain", 0755 or next;
        show_site( $base, $site, "$home/$site", "$VIEW/sitios/$domain" );
    }
}

# Its logs are shown in its folder, where they can be read alone.
sub show_site {
    my ( $base, $site, $from, $to ) = @_;
    bind_to( $from, $to );
    mkdir "$from/registros", 0755;
    bind_to( "$base/l/$site", "$to/registros", 'ro' ) if -d "$base/l/$site";
}

sub bind_to {
    my ( $from, $to, @more ) = @_;
    -d $from && !-l $from or die "no directory\n";
    system( '/usr/bin/mount', '--bind', '-o', join( ',', 'nosuid,nodev,noexec', @more ), $from, $to ) == 0 or die "mount failed\n";
}

# From now on all of the session counts as the client's; where there are no groups there is nobody to ask.
sub join_group {
    my ( $base, $client ) = @_;
    my $path = "$base/run/control.s";
    socket my $keeper, AF_UNIX, SOCK_STREAM, 0 or die "socket: $!\n";
    connect $keeper, sockaddr_un($path) or return;
    syswrite $keeper, "join $client $session\n";
    my $answer = <$keeper> // '';
    $answer =~ /^ok/ or die "control group: $answer\n";
}
