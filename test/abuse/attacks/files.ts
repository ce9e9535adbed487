import { expect } from 'bun:test'
import { join } from 'node:path'
import { type Attack, native, type Stage } from './stage.ts'

/** The victim's, as everybody may guess them who knows where a site of one's own lies. */
const theirs = ({ victim, web }: Stage): string[] => [
  ...['', 'config.php', 'datos.txt', 'libre', 'libre/abierto.txt'].map((name) => join(victim.root, name)),
  ...[
    '..',
    '../..',
    '../../sessions',
    '../../sessions/sess_sesion',
    '../../tmp',
    '../../logs',
    '../../logs/php.log',
  ].map((name) => join(victim.root, name)),
  ...['datos.txt', 'libre/abierto.txt', 'config.php'].flatMap((name) => [
    join(web, 'h', victim.host, 'public', name),
    join(web, 'k', String(victim.clientId), victim.root.split('/').at(-2) ?? '', 'public', name),
  ]),
]
const words = (paths: string[]) => paths.map((path) => `'${path}'`).join(' ')

/** Where a customer may write, besides its own. */
const WRITABLE =
  '$(timeout 3 find /dev /etc /run /var /tmp /srv /opt /home /usr/share /usr/local -xdev -type d -writable 2>/dev/null)'

/** What a tree looks like from outside: names, owners, modes, sizes and what the files hold. */
function treeOf({ run, victim }: Stage): string {
  const top = join(victim.root, '../..')
  const listed = run('find', top, '-not', '-name', 'socket', '-printf', '%p %u %m %l\n').output
  return `${listed}${run('sh', '-c', `find ${top} -type f -not -name 'sess_*' -exec md5sum {} + | sort`).output}`
}
const before = new WeakMap<Stage, string>()
const untouched = (stage: Stage) => expect(treeOf(stage)).toBe(before.get(stage) ?? '')
const noted = (stage: Stage) => before.set(stage, treeOf(stage))

/** Its own traces first, which prove that the program finds them, then the victim's. */
const left = async (stage: Stage) =>
  native(stage, stage.victim, `perl leave.pl suyo ${stage.secret} ${stage.port}`)
const mine = (stage: Stage) => `perl leave.pl mio ${stage.own} ${stage.port + 1}`

export const FILES: Attack[] = [
  {
    name: 'files that their owner opened to everybody are read by no other customer',
    order: (stage) => `./take read libre/abierto.txt ${words(theirs(stage))}`,
    can: /got libre\/abierto\.txt: propio/,
  },
  {
    name: 'nothing is written where another customer lets everybody write',
    first: noted,
    order: (stage) =>
      `./take write libre/nuevo ${words(theirs(stage).flatMap((path) => [path, join(path, 'plantado'), join(path, 'plantado.php')]))}`,
    can: 'wrote libre/nuevo',
    never: /wrote (?!libre\/nuevo)/,
    outside: untouched,
  },
  {
    name: 'neither modes, lists, times, names nor links of another customer’s files can be changed',
    first: noted,
    order: (stage) => `./take change datos.txt ${words(theirs(stage))}`,
    can: /changed mode of datos\.txt[\s\S]*changed links of datos\.txt/,
    never: /changed \w+ of \//,
    outside: untouched,
  },
  {
    name: 'no directory of another customer or of the panel can be listed or watched',
    order: (stage) =>
      `./take watch . ${words(theirs(stage))}; ls -a . ${words([...theirs(stage).slice(3), join(stage.web, 'c'), join(stage.web, 'h'), join(stage.web, 'k'), join(stage.web, 'p'), stage.web, stage.data])} 2>/dev/null | grep -v '^/'`,
    can: /watched \.[\s\S]*datos\.txt/,
    never: /watched \/|victima|abierto\.txt$/,
    except: /^abierto\.txt$/,
  },
  {
    name: 'a link from an own site to another customer’s file is followed by nobody, the web server included',
    order: (stage) => {
      const file = join(stage.victim.root, 'datos.txt')
      return `ln -sf datos.txt propio.txt; ln -sf ${file} blando.txt; ln -sf ${join(file, '..')} carpeta; ln -sf ../../../../${stage.victim.clientId}/${stage.victim.root.split('/').at(-2)}/public/datos.txt relativo.txt
        ln ${file} duro.txt; ln -sfn /proc/self/root raiz; cat propio.txt blando.txt carpeta/datos.txt relativo.txt duro.txt raiz${file}`
    },
    can: 'propio-',
    async outside(stage) {
      const seen = await Promise.all(
        [
          'propio.txt',
          'blando.txt',
          'carpeta/datos.txt',
          'carpeta/libre/abierto.txt',
          'relativo.txt',
          'duro.txt',
          `raiz${stage.victim.root}/datos.txt`,
        ].map((path) => stage.visit(stage.attacker, `/${path}`)),
      )
      expect(seen[0]).toBe(stage.own)
      expect(seen.filter((text) => text.includes(stage.secret))).toEqual([])
    },
  },
  {
    name: 'a process of another customer shows neither its words, its environment, its files nor its memory',
    first: left,
    order: (stage) => `${mine(stage)}; ./take processes`,
    can: /own got \/proc\/\d+\/environ/,
    never: /^other got (?!link \/proc\/\d+\/exe)/,
    // The first process of a cage tells how the own cage was made.
    except: /^other got \/proc\/(?:\d+\/cmdline: *$|1\/cmdline: \/usr\/bin\/bwrap )/,
  },
  {
    name: 'System V segments and queues of another customer are out of reach',
    first: left,
    order: (stage) => `${mine(stage)}; perl gather.pl segments`,
    can: 'propio-',
  },
  {
    name: 'what another customer leaves in shared memory or in a temporary directory is out of reach',
    first: left,
    order: (stage) => `${mine(stage)}; perl gather.pl shared`,
    can: 'propio-',
  },
  {
    name: 'there is no directory in which two customers can both write',
    first: (stage) =>
      stage.run('rm', '-f', '/tmp/comun', '/var/tmp/comun', '/dev/shm/comun', '/run/lock/comun'),
    order: () =>
      `umask 0; for d in ${WRITABLE} /tmp /var/tmp /dev/shm /dev/mqueue /run/lock /run /run/php /var/lib/php/sessions; do echo propio-comun >$d/comun && echo wrote $d; done 2>/dev/null`,
    can: 'wrote ',
    async outside(stage) {
      const told = await native(
        stage,
        stage.victim,
        `for d in ${WRITABLE} /tmp /var/tmp /dev/shm /dev/mqueue /run/lock; do cat $d/comun; done 2>/dev/null`,
      )
      expect(told).not.toContain('propio-comun')
    },
  },
  {
    name: 'a service that another customer runs on loopback, in a file or under an abstract name answers no stranger',
    first: left,
    order: (stage) =>
      `perl gather.pl sockets @left-suyo ${stage.victim.root}/libre/socket; perl gather.pl ports ${stage.port}`,
    can: /tried \d+[\s\S]*tried/,
  },
  {
    name: 'PHP’s opcode cache tells nothing of another customer’s programs, and forgets none of them',
    php: ({ victim }) => `
      $theirs = '${victim.root}/config.php';
      print_r(opcache_get_status(true)); print_r(opcache_get_configuration());
      var_dump(opcache_is_script_cached($theirs), opcache_invalidate($theirs, true), opcache_reset());
      opcache_compile_file($theirs); include $theirs;
      foreach (['/proc/self/mem', '/proc/self/maps', '/proc/self/map_files'] as $path) var_dump(is_readable($path));
      include 'datos.txt';`,
    can: 'propio-',
    never: /victima|bool\(true\)\s+bool\(true\)\s+bool\(true\)/,
  },
  {
    name: 'another customer’s session is not opened by its number',
    php: ({ victim }) => `
      $own = session_save_path();
      foreach ([$own, '${join(victim.root, '../../sessions')}', '/var/lib/php/sessions', '/tmp'] as $path) {
        foreach (['user', 'files'] as $how) { @ini_set('session.save_handler', 'files'); @ini_set('session.save_path', $path); @session_save_path($path);
          session_id('sesion'); if (@session_start()) { echo json_encode($_SESSION); session_abort(); } } }
      echo 'propio-visto';`,
    can: 'propio-visto',
  },
  {
    name: 'PHP’s wrappers, iterators and paths lead into no other customer’s files',
    php: ({ victim, web }) => `
      readfile('datos.txt'); $file = '${victim.root}/datos.txt'; $open = '${victim.root}/libre/abierto.txt';
      @mkdir('a'); @chdir('a'); @ini_set('open_basedir', '..'); for ($i = 0; $i < 12; $i++) @chdir('..'); @ini_set('open_basedir', '/');
      foreach ([$file, $open] as $one) {
        foreach (['', 'file://', 'php://filter/read=string.rot13|string.rot13/resource=', 'compress.zlib://', 'glob://', 'phar://', 'zip://', 'data://'] as $way) echo @file_get_contents($way . $one);
        foreach (['SplFileObject', 'DirectoryIterator', 'GlobIterator'] as $class) try { foreach (new $class($one) as $line) echo $line; } catch (Throwable $e) {}
        foreach (['highlight_file', 'readfile', 'parse_ini_file', 'copy'] as $way) try { echo json_encode(@$way($one, 'copiado')); } catch (Throwable $e) {}
        @symlink($one, 'enlace'); echo @file_get_contents('enlace'); @link($one, 'duro'); echo @file_get_contents('duro');
        try { $db = new PDO('sqlite:' . $one); } catch (Throwable $e) {} try { $x = new DOMDocument; @$x->loadHTMLFile($one); echo $x->textContent; } catch (Throwable $e) {}
        try { $c = curl_init('file://' . $one); curl_exec($c); } catch (Throwable $e) {}
        try { $m = new mysqli; } catch (Throwable $e) {} try { imageloadfont($one); } catch (Throwable $e) {}
      }
      foreach (['glob://${web}/h/*', 'glob://${web}/c/*/*', 'glob:///home/*', 'glob:///srv/*'] as $list) try { foreach (new DirectoryIterator($list) as $one) echo $one, "\\n"; } catch (Throwable $e) {}`,
    can: 'propio-',
    never: /victima/,
  },
  {
    name: 'a handle made from the number of another customer’s file opens nothing, in a user namespace neither',
    order: (stage) => {
      const inode = stage.run('stat', '-c', '%i', join(stage.victim.root, 'datos.txt')).output.trim()
      return `./take handle . ${inode}; unshare -Urm ./take handle . ${inode}; unshare -Ur ./take handle . ${inode}; echo propio-hecho`
    },
    can: 'propio-hecho',
    never: /^got \d+:/,
  },
  {
    name: 'root’s own mounts within a user namespace reveal no other customer’s file',
    order: (stage) =>
      `unshare -Urmpf bash -c 'mount -t tmpfs none /mnt; mount --bind ${stage.web} /mnt; mount --rbind / /media; mount -t proc proc /proc; mount -t overlay overlay -o lowerdir=${stage.victim.root} /mnt
        cat /mnt/datos.txt /media${stage.victim.root}/datos.txt /proc/1/root${stage.victim.root}/datos.txt'; cat datos.txt`,
    can: 'propio-',
  },
  {
    name: 'an answer that names another customer’s file to the web server (X-Accel-Redirect) is not followed there',
    php: () => `
      if (isset($_GET['to'])) { header('X-Accel-Redirect: ' . $_GET['to']); header('X-Sendfile: ' . $_GET['to']); } echo 'propio-dicho';`,
    can: 'propio-dicho',
    async outside(stage) {
      const { victim, web } = stage
      const targets = [
        `${victim.root}/datos.txt`,
        `/h/${victim.host}/public/datos.txt`,
        `/../../../${victim.clientId}/${victim.root.split('/').at(-2)}/public/datos.txt`,
        `/.well-known/acme-challenge/../../${victim.host}/public/datos.txt`,
        `/.well-known/acme-challenge/..%2f..%2fh/${victim.host}/public/datos.txt`,
        `//${victim.host}/datos.txt`,
        `http://${victim.host}/datos.txt`,
        `${web}/t/default`,
        ...['@missing', '@purge', '@php', '@no_program'],
      ]
      for (const target of targets) {
        const seen = await stage.visit(stage.attacker, `/ataque.php?to=${encodeURIComponent(target)}`)
        expect([target, seen]).toEqual([target, 'propio-dicho'])
      }
    },
  },
]
