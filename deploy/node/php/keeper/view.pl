# What a client's programs see of the machine, and the sockets and files that they are handed.

# The view of the machine that the client's programs have: programs that everybody may read, its own tree, and
# nothing else that could be written, not even in memory.
sub cage {
    my ( $version, $home, $id, $pool ) = @_;
    return (
        machine( $id, $home, $home ), qw(--chdir /),
        '--ro-bind', "/etc/php/$version", "/etc/php/$version",
        qw(--perms 0444 --ro-bind-data), handed($pool), '/etc/php/pool.conf',
        qw(--perms 0444 --ro-bind-data), handed( $settings{failed} ), '/etc/php/failed.php',
        qw(--perms 0755 --dir /etc/php/panel --perms 0444 --ro-bind-data), handed( settings_of_sites($home) ), '/etc/php/panel/sites.ini',
        # A tree below one of these, as in tests, leaves it closed: a customer could put links in the way to it.
        ( map { ( '--bind', "$home/tmp", $_ ) } grep { index( $home, "$_/" ) } '/tmp', '/var/tmp', '/dev/shm' ),
        '--bind', $home, $home, databases(),
        '--seccomp', handed( $settings{filter} ),
    );
}

# Each site's programs tell of their errors, and why a mail was not taken, in a file of the site's own, which the panel
# takes from there; and they have the site's own limits.
sub settings_of_sites {
    my ($home) = @_;
    return join '', map {
        my $log = "$home/logs/php-$_.log";
        my $mail = $settings{cage} ? "sendmail_path = /usr/bin/perl /etc/php/sendmail.pl -X $log -t -i\n" : '';
        "[PATH=$home/$_]\nerror_log = $log\n$mail" . settings_of($_)
    } sites_in($home);
}

# Lines of a name and a number; one that is not understood leaves the site with what all have.
sub settings_of {
    my ($site) = @_;
    return '' unless -e "$base/f/site/$site";
    my %name = (
        memory => ['memory_limit'], upload => [ 'upload_max_filesize', 'post_max_size' ], seconds => ['max_execution_time'],
        variables => ['max_input_vars'], errors => ['display_errors'],
    );
    my $set = '';
    for ( eval { lines("$base/f/site/$site") } ) {
        my ( $name, $number ) = /^([a-z]+) (\d{1,12})$/;
        return '' unless defined $number && $name{$name};
        $set .= "$_ = $number\n" for @{ $name{$name} };
    }
    return $set;
}

sub sites_in {
    my ($home) = @_;
    opendir my $names, $home or return;
    return sort { $a <=> $b } grep { /^[1-9]\d{0,15}$/ } readdir $names;
}

# What all cages of a client have: programs, devices, itself as a user, a way to leave mail. `@places` are directories
# that something is put into.
sub machine {
    my ( $id, $home, @places ) = @_;
    my $wanted = $client{$id};
    my $people = "root:x:0:0:root:/:/usr/sbin/nologin\ncp$id:x:$wanted->{uid}:$wanted->{gid}::$home:/usr/sbin/nologin\n"
        . "nobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n";
    my $groups = "root:x:0:\ncp$id:x:$wanted->{gid}:\nnogroup:x:65534:\n";
    my $mail   = "$base/c/$id/mail";
    my $spool  = $settings{mail} && -d $mail;
    my $told   = "$base/f/mail/$id";
    my @spool  = $spool ? ( $SPOOL, -d $told ? "$SPOOL.day" : () ) : ();
    my @shown  = map { ( '--ro-bind-try', "/etc/$_", "/etc/$_" ) } qw(ImageMagick-6 ca-certificates fonts gai.conf host.conf
        hosts ld.so.cache localtime magic mime.types nsswitch.conf protocols resolv.conf services ssl/certs ssl/openssl.cnf timezone);
    return (
        qw(--unshare-pid --unshare-ipc --unshare-uts --die-with-parent --new-session),
        qw(--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib),
        qw(--symlink usr/lib64 /lib64 --proc /proc),
        directories( '/etc/php', '/etc/ssl', '/tmp', '/var/tmp', '/dev/shm', @places, @spool ),
        # No terminals, as `--dev` has them: one client can take all that there are for all cages (kernel.pty.max).
        ( map { ( '--dev-bind', "/dev/$_", "/dev/$_" ) } qw(null zero full random urandom tty) ),
        qw(--symlink /proc/self/fd /dev/fd --symlink fd/0 /dev/stdin --symlink fd/1 /dev/stdout --symlink fd/2 /dev/stderr),
        @shown,
        qw(--perms 0444 --ro-bind-data), handed($people), '/etc/passwd',
        qw(--perms 0444 --ro-bind-data), handed($groups), '/etc/group',
        qw(--perms 0444 --ro-bind-data), handed( $settings{sendmail} ), '/etc/php/sendmail.pl',
        ( $spool ? ( '--bind', $mail, $SPOOL ) : () ),
        ( @spool > 1 ? ( '--ro-bind', $told, $spool[1] ) : () ),
    );
}

# The directory and not the socket, which is another one after each start. After what is mounted at /tmp, where tests
# have theirs.
sub databases {
    my $data = $settings{databases};
    return $data && -d $data ? ( directories($data), '--ro-bind', $data, $data ) : ();
}

# bwrap makes what leads to a mount for root alone.
sub directories {
    my @made;
    my %seen;
    for my $path (@_) {
        my $at = '';
        for ( grep { length } split m{/}, $path ) {
            $at .= "/$_";
            push @made, '--perms', '0755', '--dir', $at unless $seen{$at}++;
        }
    }
    return @made;
}

# A text as the number of an open file; a pipe holds 64 KiB without a reader, and more only when asked to.
sub handed {
    my ($text) = @_;
    pipe my $reader, my $writer or die "pipe: $!\n";
    fcntl $writer, $F_SETPIPE_SZ, length $text if length $text > 65_536;
    syswrite( $writer, $text ) == length $text or die "text too long\n";
    close $writer;
    inherit($reader);
    push @handed, $reader;
    return fileno $reader;
}
