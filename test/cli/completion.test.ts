import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Shell } from '../support/cli.ts';
import { program } from '../support/process.ts';
import { all, oneStoryIn } from '../support/sweep.ts';
import { toolHere } from '../support/tool-here.ts';

const story = oneStoryIn(3);

const configuration = `stack: demo
platform: { team: acme }
projects:
  web:
    env:
      FLAGS:
        - { value: none, target: [production] }
        - { value: some, target: [preview], gitBranch: new-checkout }
    firewall:
      rules:
        - { name: "let the \\"office\\" in", active: true, conditionGroup: [{ conditions: [{ type: path, op: pre, value: /a }] }], action: { mitigate: { action: deny } } }
domains:
  example.com:
    records:
      - { type: A, name: "*.preview", value: 192.0.2.20 }
      - { type: A, name: "@", value: 192.0.2.20 }
`;

/** A folder with a configuration, the tool on the PATH, and the completion script of one shell. */
async function folder(name: string): Promise<Shell> {
  const shell = await new Shell().write({
    'trueup.yaml': configuration,
    'other.yaml': 'stack: other\nplatform: { team: acme }\nprojects: { api: {} }\n',
    'bin/trueup': `#!/bin/bash\n${all ? `exec '${process.execPath}' '${program}' "$@"` : await toolHere()}\n`,
  });
  chmodSync(join(shell.folder, 'bin/trueup'), 0o755);
  const { status, stdout } = await shell.run(['completion', name]);
  expect(status).toBe(0);
  return shell.write({ script: stdout });
}

/** Starts a shell with the tool on the PATH. */
function run(shell: Shell, [file, ...args]: string[]) {
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  return spawn(file!, args, {
    cwd: shell.folder,
    env: { PATH: `${join(shell.folder, 'bin')}:${PATH}`, HOME: shell.folder, LANG, TERM: 'dumb' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** What a shell prints for a script on its standard input, with the tool on the PATH. */
function print(shell: Shell, command: string[], script: string): Promise<string> {
  const child = run(shell, command);
  child.stdin.end(script);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return new Promise((done) => child.once('close', () => done(text)));
}

const recorder = '/usr/bin/script';
if (!existsSync(recorder)) console.log('completion: no script(1), so the readline of bash is not tested');
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const missing = ['bash', 'zsh', 'fish'].filter((shell) => !isInstalled(shell));
if (missing.length > 0) console.log(`completion: ${missing.join(' and ')} not installed, so not tested`);

describe.skipIf(missing.includes('bash'))('bash', () => {
  /** Words as readline splits them at the usual COMP_WORDBREAKS, and what it is to put behind the last break. */
  const cases: [words: string[], line: string, replies: string[]][] = [
    [['trueup', 'val'], 'trueup val', ['validate']],
    [
      ['trueup', 'ledger', ''],
      'trueup ledger ',
      [
        'list',
        'show',
        'forget',
        'key',
        'sign',
        'unlock',
        'rename',
        'move',
        'retire',
        'copy',
        'index',
        'help',
      ],
    ],
    [['trueup', 'plan', '--tar'], 'trueup plan --tar', ['--target']],
    [['trueup', 'twin', '--rate-limits', ''], 'trueup twin --rate-limits ', ['real', 'assumed', 'off']],
    [['trueup', 'twin', '--rate-limits', '=', 'r'], 'trueup twin --rate-limits=r', ['real']],
    [['trueup', 'completion', 'z'], 'trueup completion z', ['zsh']],
    [['trueup', 'help', 'val'], 'trueup help val', ['validate']],
    [['trueup', 'plan', '-f', 'oth'], 'trueup plan -f oth', ['other.yaml']],
    [['trueup', 'plan', '--file', '=', 'oth'], 'trueup plan --file=oth', ['other.yaml']],
    [['trueup', 'fmt', '--check', 'true'], 'trueup fmt --check true', ['trueup.yaml']],
    [['trueup', 'kinds', 'customE'], 'trueup kinds customE', ['customEnvironment']],
    [['trueup', 'plan', '--parallelism', ''], 'trueup plan --parallelism ', []],
    [['trueup', 'nonsense', ''], 'trueup nonsense ', []],
    [
      ['trueup', 'plan', '--target', 'projects/web/env/'],
      'trueup plan --target projects/web/env/',
      ['projects/web/env/FLAGS@preview:new-checkout', 'projects/web/env/FLAGS@production'],
    ],
    [
      ['trueup', 'plan', '--exclude', 'projects/web/env/FLAGS', '@', 'pr'],
      'trueup plan --exclude projects/web/env/FLAGS@pr',
      ['@preview:new-checkout', '@production'],
    ],
    [
      ['trueup', 'plan', '--target', '=', 'projects/web/env/FLAGS', '@', 'preview', ':'],
      'trueup plan --target=projects/web/env/FLAGS@preview:',
      ['new-checkout'],
    ],
    [
      ['trueup', 'ledger', 'show', '"projects/web/env/FLAGS@pre'],
      'trueup ledger show "projects/web/env/FLAGS@pre',
      ['projects/web/env/FLAGS@preview:new-checkout'],
    ],
    [
      ['trueup', 'ledger', 'show', 'projects/web/firewall/rules/let\\ the'],
      'trueup ledger show projects/web/firewall/rules/let\\ the',
      ['projects/web/firewall/rules/let\\ the\\ \\"office\\"\\ in'],
    ],
    [
      ['trueup', 'ledger', 'forget', 'domains/example.com/records/%'],
      'trueup ledger forget domains/example.com/records/%',
      ['domains/example.com/records/%2A.preview/A'],
    ],
    [
      ['trueup', 'destroy', 'domains/example.com/records/', '@', '/'],
      'trueup destroy domains/example.com/records/@/',
      ['@/A'],
    ],
    [
      ['trueup', 'plan', '-f', 'other.yaml', '--target', 'projects/'],
      'trueup plan -f other.yaml --target projects/',
      ['projects/api'],
    ],
    [['trueup', 'plan', '-f', 'nope.yaml', '--target', ''], 'trueup plan -f nope.yaml --target ', []],
  ];

  story('commands, options, values, files and addresses, in words as readline splits them', async () => {
    const shell = await folder('bash');
    const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
    const script = [
      `source ./script`,
      `COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'`,
      ...cases.map(
        ([words, line]) =>
          `COMP_WORDS=(${words.map(quoted).join(' ')}) COMP_CWORD=${words.length - 1} COMP_LINE=${quoted(line)} COMP_POINT=${line.length}; COMPREPLY=(); _trueup trueup; printf '%s\\n' "\${COMPREPLY[@]}" ---`,
      ),
    ].join('\n');
    const printed = (await print(shell, ['bash', '--norc', '--noprofile'], script)).split('---\n');
    const replies = cases.map(([, line], at) => [
      line,
      printed[at]!.split('\n').filter((reply) => reply !== ''),
    ]);
    expect(replies).toEqual(cases.map(([, line, expected]) => [line, expected]));
    console.log(`completion: ${cases.length} lines in bash`);
  });

  test.skipIf(!existsSync(recorder))(
    'the same typed into a terminal, with the readline of bash',
    async () => {
      const shell = await folder('bash');
      await shell.write({
        rc: `PS1=; bind 'set enable-bracketed-paste off'; source ./script
show() { printf '<<%s>>\\n' "$READLINE_LINE"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-o": show'; echo '<<ready>>'
`,
      });
      const child = run(shell, [recorder, '-qec', 'bash --noprofile --rcfile rc -i', '/dev/null']);
      onTestFinished(() => void child.kill());
      const printed: string[] = [];
      let text = '';
      for await (const part of child.stdout.setEncoding('utf8')) {
        text += part;
        const [whole, found] = /<<(.*?)>>/s.exec(text) ?? [];
        if (whole === undefined) continue;
        printed.push(found!.replaceAll(/\r?\n/g, ''));
        text = '';
        const next = typed[printed.length - 1];
        child.stdin.write(next ? `${next[0]}\t\x0f` : 'exit\r');
      }
      const trimmed = (line: string) => line.replace(/[ =]$/, '');
      expect(printed.slice(1).map(trimmed)).toEqual(typed.map(([, completed]) => trimmed(completed)));
      console.log(`completion: ${typed.length} lines in the readline of bash`);
    },
  );

  test('the script is one that bash can read, and registers itself', async () => {
    const shell = await folder('bash');
    expect(await print(shell, ['bash'], 'bash -n script && source ./script && complete -p trueup')).toBe(
      'complete -F _trueup trueup\n',
    );
  });
});

/** Lines, and what is in the editor, or among what is offered, after the key that completes. */
const typed: [line: string, completed: string][] = [
  ['trueup valid', 'trueup validate '],
  ['trueup plan --exclu', 'trueup plan --exclude'],
  ['trueup twin --rate-limits r', 'trueup twin --rate-limits real '],
  ['trueup plan -f oth', 'trueup plan -f other.yaml '],
  ['trueup kinds customE', 'trueup kinds customEnvironment '],
  ['trueup completion z', 'trueup completion zsh '],
  ['trueup ledger sh', 'trueup ledger show '],
  [
    'trueup plan --target projects/web/env/FLAGS@pro',
    'trueup plan --target projects/web/env/FLAGS@production ',
  ],
  [
    'trueup plan --exclude=projects/web/env/FLAGS@preview:',
    'trueup plan --exclude=projects/web/env/FLAGS@preview:new-checkout ',
  ],
  [
    'trueup ledger forget domains/example.com/records/%',
    'trueup ledger forget domains/example.com/records/%2A.preview/A ',
  ],
  ['trueup plan -f other.yaml --target projects/', 'trueup plan -f other.yaml --target projects/api '],
  [
    'trueup ledger show projects/web/firewall/rules/',
    'trueup ledger show projects/web/firewall/rules/let\\ the\\ \\"office\\"\\ in ',
  ],
];

describe.skipIf(missing.includes('zsh'))('zsh', () => {
  test('commands, options, values, files and addresses, typed into a terminal', async () => {
    const shell = await folder('zsh');
    // The last key shows the line as it is; a line is then thrown away by the one after it.
    const script = String.raw`
zmodload zsh/zpty
zpty inner zsh -f -i
zpty -w inner 'PS1= RPS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D; source ./script'
zpty -w inner 'show() { print -r -- "<<$BUFFER>>"; BUFFER= }; zle -N show; bindkey "^X" show; bindkey "^I" expand-or-complete; print read""y'
zpty -r inner out '*ready*'
while IFS= read -r line; do
  zpty -w -n inner "$line"$'\t\x18'
  zpty -r inner out '*<<*>>*'
  out=${'$'}{out##*<<}
  print -r -- "${'$'}{out%%>>*}"
done < lines
zpty -d inner
`;
    await shell.write({ lines: typed.map(([line]) => `${line}\n`).join('') });
    const printed = (await print(shell, ['zsh', '-f'], script)).split('\n').slice(0, -1);
    const trimmed = (line: string) => line.replace(/[ =]$/, '');
    expect(printed.map(trimmed)).toEqual(typed.map(([, completed]) => trimmed(completed)));
    console.log(`completion: ${typed.length} lines in zsh`);
  });
});

describe.skipIf(missing.includes('fish'))('fish', () => {
  test('commands, options, values, files and addresses', async () => {
    const shell = await folder('fish');
    await shell.write({ lines: typed.map(([line]) => `${line}\n`).join('') });
    const script =
      'source ./script\nwhile read -l line\n  complete -C $line | string replace -r "\\t.*" ""\n  echo ---\nend < lines\n';
    const printed = (await print(shell, ['fish', '-N', '-c', script], '')).split('---\n').slice(0, -1);
    // What fish offers is the last word, not escaped yet.
    const last = (line: string) =>
      line
        .trimEnd()
        .replace(/^.*[^\\] /, '')
        .replaceAll('\\', '');
    expect(printed.map((offered) => offered.trimEnd())).toEqual(
      typed.map(([, completed]) => last(completed)),
    );
    console.log(`completion: ${typed.length} lines in fish`);
  });
});

describe('what the scripts are made of', () => {
  test('every command and option that the help shows is in every script, and what is hidden is not', async () => {
    const shell = new Shell();
    const helps = await Promise.all(
      [[], ['plan'], ['fmt'], ['ledger', 'forget'], ['twin']].map((path) => shell.run([...path, '--help'])),
    );
    const words = helps.flatMap(({ stdout }) => [
      ...[...stdout.matchAll(/--([a-z][a-z-]+)/g)].map(([, name]) => name!),
      ...[...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name!),
    ]);
    expect(words.length).toBeGreaterThan(40);
    for (const name of ['bash', 'zsh', 'fish']) {
      const { stdout } = await shell.run(['completion', name]);
      const absent = words.filter((word) => !new RegExp(`(^|[^a-z])${word}([^a-z]|$)`, 'm').test(stdout));
      expect(absent, name).toEqual([]);
      expect(stdout.match(/__complete/g), name).toHaveLength(1);
    }
    expect(helps[0]!.stdout).not.toContain('__complete');
  });

  test('words that cannot be found are none, silently', async () => {
    const shell = await new Shell().write({ 'broken.yaml': 'a: [\n' });
    for (const args of [
      [],
      ['address'],
      ['nonsense'],
      ['address', '--', '-f', 'broken.yaml'],
      ['address', '--', '--var', 'x', '-f'],
    ])
      expect(await shell.run(['__complete', ...args]), args.join(' ')).toMatchObject({ status: 0, all: '' });
  });

  story(
    'what only the ledger knows is offered too: it is what `destroy` and `ledger forget` are about',
    async () => {
      const shell = await new Shell().write({ 'trueup.yaml': configuration });
      await shell.run(['apply', '--twin', '--auto-approve']);
      await shell.write({ 'trueup.yaml': 'stack: demo\nplatform: { team: acme }\n' });
      const gone = await shell.run(['__complete', 'address', '--', 'destroy', '--twin']);
      expect(gone.stdout.split('\n')).toContain('projects/web');
      expect((await shell.run(['__complete', 'address'])).all).toBe('');
      // Standard input is the terminal of the person who types.
      const typed = { input: 'stack: demo\nplatform: { team: acme }\nprojects: { web: {} }\n' };
      expect((await shell.run(['__complete', 'address', '--', 'plan', '-f', '-'], typed)).all).toBe('');
    },
  );

  test('a shell that there is no script for', async () => {
    const ran = await new Shell().run(['completion', 'tcsh']);
    expect(ran).toMatchObject({ status: 1, stdout: '' });
    expect(ran.stderr).toMatch(/bash, zsh, fish/);
  });
});
