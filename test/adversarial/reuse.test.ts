import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import type { WrittenConfiguration } from '../../src/config/configuration.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { openSources } from '../../src/config/sources/sources.ts';
import { openTracking } from '../../src/git/tracking.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { styleFor } from '../../src/report/style.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { first } from '../support/sweep.ts';

const kinds = kindsOf(hosting.kinds);
const env = { PATH: process.env.PATH, HOME: process.env.HOME };
const header = 'stack: x\nplatform: { personal: true }\n';

/** A repository with these files, of which git tracks all but those in `untracked`. */
function repository(files: Record<string, string>, untracked: Record<string, string> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trueup-reuse-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (all: Record<string, string>) => {
    for (const [name, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  };
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
  initRepository(root);
  write(files);
  git('add', '-f', '.');
  write(untracked);
  return root;
}

/** A repository with a folder for each of these sets of files. Returns the folders; one repository costs less than many. */
function foldersWith(cases: Record<string, string>[], untracked: Record<string, string> = {}): string[] {
  const inFolders = (sets: Record<string, string>[]) =>
    Object.fromEntries(
      sets.flatMap((files, index) =>
        Object.entries(files).map(([name, text]): [string, string] => [`case-${index}/${name}`, text]),
      ),
    );
  const root = repository(inFolders(cases), inFolders(cases.map(() => untracked)));
  return cases.map((_, index) => join(root, `case-${index}`));
}

const loaded = (cwd: string, stage?: string): Promise<WrittenConfiguration> =>
  load({
    kinds,
    cwd,
    env,
    paths: ['trueup.yaml'],
    sources: openSources({ env, cwd, tracking: openTracking(env) }),
    ...(stage === undefined ? {} : { stage }),
  });

const codes = ({ diagnostics, notAllowed }: WrittenConfiguration) =>
  [...diagnostics, ...notAllowed].map(({ code }) => code).sort();

/** All that could be shown of a configuration. */
function shown(configuration: WrittenConfiguration): string {
  const { diagnostics, notAllowed, desired } = configuration;
  const style = styleFor({ color: false, width: 200 });
  return [
    diagnosticsText([...diagnostics, ...notAllowed], { style }),
    render(configuration),
    JSON.stringify([...desired.resources]),
    inspect(configuration, { depth: 20 }),
  ].join('\n');
}

test('Includes, data of variables and files of stages must be tracked by git in the repository, and are never a ledger or plan.', async () => {
  const outside = repository({ 'data.json': '{ "a": "canary" }', 'more.yaml': 'templates: {}' });
  const ledger = JSON.stringify({ stack: 'x', generation: 1, entries: {}, note: 'canary' });
  const data = (file: string) =>
    `variables: { a: { file: ${file} } }\nprojects: { web: { framework: "\${var.a}" } }`;
  const cases = [
    ['include: [tracked.yaml]', []],
    ['include: [untracked.yaml]', ['source/file']],
    [`include: [${join(outside, 'more.yaml')}]`, ['file/outside']],
    [`include: [${'../'.repeat(20)}etc/passwd]`, ['file/outside']],
    ['include: [linked.yaml]', ['file/outside']],
    // As if there were a file, since the message would tell.
    ['include: [dangling.yaml]', ['file/outside']],
    ['stages: { s: { files: [untracked.yaml] } }', ['source/file']],
    [data('untracked.json'), ['source/file']],
    [data('ledger.json'), ['source/file']],
    [data(join(outside, 'data.json')), ['source/file']],
    [data('linked.json'), ['source/file']],
    [data('../.git/config'), ['source/file']],
    [data('/proc/self/environ'), ['source/file']],
  ] as const;
  const folders = foldersWith(
    cases.map(([text]) => ({
      'trueup.yaml': `${header}${text}`,
      'tracked.yaml': 'templates: {}',
      'ledger.json': ledger,
    })),
    {
      'untracked.json': '{ "a": "canary" }',
      'untracked.yaml': 'templates: {}\nvariables: { a: { default: canary } }',
    },
  );
  for (const [index, [text, expected]] of cases.entries()) {
    const root = folders[index]!;
    symlinkSync(join(outside, 'data.json'), join(root, 'linked.json'));
    symlinkSync(join(outside, 'more.yaml'), join(root, 'linked.yaml'));
    symlinkSync(join(outside, 'none.yaml'), join(root, 'dangling.yaml'));
    const configuration = await loaded(root, text.startsWith('stages') ? 's' : undefined);
    expect([text, codes(configuration)]).toEqual([text, [...expected]]);
    expect(shown(configuration)).not.toContain('canary');
  }
});

test('An error in a data or variable file names its line, but never quotes it.', async () => {
  const each = (file: string, of: string) =>
    `variables: { all: { file: ${file} } }\ntemplates: { t: { $inputs: { a: { default: true, type: boolean }, b: { default: x, pattern: "[a-z]+" } } } }\n${of}`;
  const rows = 'projects: { "p-${each.key}": { $each: "${var.all}", framework: "${each.value.framework}" } }';
  const typed = (input: string) =>
    `projects: { "p-\${each.key}": { $each: "\${var.all}", $use: { t: { ${input}: "\${each.value.c}" } } } }`;
  const given = 'variables: { a: {}, b: { default: x } }\nprojects: { web: { framework: "${var.a}" } }';
  const mistakes: [name: string, text: string, config: string][] = [
    // What no block reads, beside a cell that is wrong.
    ['all.csv', 'key,framework,c\nweb,nextj,Canary-1\n', each('all.csv', rows)],
    ['all.json', '{ "web": { "framework": "nextj", "c": "Canary-1" } }', each('all.json', rows)],
    ['all.yaml', 'web: { framework: nextj, c: Canary-1 }', each('all.yaml', rows)],
    // What is wrong itself, and may be a secret.
    ['all.csv', 'key,c\nweb,Canary-1\n', each('all.csv', typed('a'))],
    ['all.csv', 'key,c\nweb,Canary-1\n', each('all.csv', typed('b'))],
    ['all.json', '{ "web": { "c": ["Canary-1"] } }', each('all.json', typed('b'))],
    // What cannot be read at all.
    ['all.csv', 'key,c\nweb,"Canary-1\n', each('all.csv', rows)],
    ['all.csv', 'key,c\nweb,b,Canary-1\n', each('all.csv', rows)],
    ['all.csv', 'key,c\nweb,Canary-1\nweb,Canary-2\n', each('all.csv', rows)],
    ['all.json', '{ "web": { "c": "Canary-1" ', each('all.json', rows)],
    ['all.yaml', 'web: { c: Canary-1 }\nweb: { c: Canary-2 }', each('all.yaml', rows)],
    ['all.yaml', 'web: { c: *Canary-1 }', each('all.yaml', rows)],
    ['all.yaml', 'web: { c: !Canary-1 x }', each('all.yaml', rows)],
    // The same in a file of `--var-file`.
    ['vars.json', '{ "a": "nextj", "b": "Canary-1" }', given],
    ['vars.yaml', '{ a: [Canary-1], b: x }', given],
    ['vars.yaml', '{ a: nextjs, c: Canary-1 }', given],
    ['vars.yaml', 'a: nextjs # Canary-1\na: [', given],
    ['vars.yaml', '{ a: nextjs, b: "${Canary-1}" }', given],
  ];
  const folders = foldersWith(
    mistakes.map(([file, text, config]) => ({ 'trueup.yaml': header + config, [file]: text })),
  );
  for (const [index, [file, text]] of mistakes.entries()) {
    const cwd = folders[index]!;
    const { diagnostics } = await load({
      kinds,
      cwd,
      env,
      paths: ['trueup.yaml'],
      sources: openSources({ env, cwd, tracking: openTracking(env) }),
      ...(file.startsWith('vars') ? { varFiles: [file] } : {}),
    });
    const told = diagnosticsText(diagnostics, { style: styleFor({ color: false, width: 200 }) });
    expect([text, told]).toEqual([text, expect.stringContaining(`${file}:`)]);
    // Every report is made of these.
    expect(JSON.stringify(diagnostics)).not.toContain('anary');
  }
});

test('A secret stays a secret through inputs, templates and patches, and is never part of a name.', async () => {
  const root = repository({
    'trueup.yaml': `${header}
secrets: { s: {} }
templates:
  t:
    $inputs: { token: {}, word: {} }
    env:
      A: { value: "x-\${input.token}-y", type: sensitive, target: [production] }
      B: { value: "\${input.word}", type: sensitive, target: [production] }
      C: { value: "a-\${input.word}", type: sensitive, target: [production] }
projects:
  web: { $use: { t: { token: "\${secret.s}", word: canary-one } } }
patches:
  - { $at: projects/web/env/B, value: canary-two }
`,
  });
  const configuration = await loaded(root);
  expect(codes(configuration)).toEqual([]);
  expect(shown(configuration)).not.toContain('canary');
  expect(
    JSON.stringify(configuration.desired.resources.get('projects/web/env/A@production')!.fields.value),
  ).toContain('$secret');
  const refused = [
    ['projects: { "${secret.s}": {} }', 'secret/in-name'],
    ['projects: { "a-${each.key}": { $each: ["${secret.s}"] } }', 'each/member'],
    ['projects: { a: { $when: "${secret.s}" } }', 'when/value'],
    ['projects: { a: {} }\npatches: [{ $at: "projects/${secret.s}" }]', 'secret/not-here'],
    ['projects: { a: { framework: "${secret.s | upper}" } }', 'expression/filter'],
    ['projects: { a: { env: { A: "${projects[secret.s].id}" } } }', 'ref/undeclared'],
    [
      'templates: { t: { $inputs: { n: { type: string } } } }\nprojects: { a: { $use: { t: { n: "${secret.s}" } } } }',
      'input/value',
    ],
    [
      'templates: { t: { $inputs: { n: {} }, domains: { "${input.n}": {} } } }\nprojects: { a: { $use: { t: { n: "${secret.s}" } } } }',
      'secret/in-name',
    ],
  ] as const;
  const folders = foldersWith(
    refused.map(([text]) => ({ 'trueup.yaml': `${header}secrets: { s: {} }\n${text}` })),
  );
  for (const [index, [text, code]] of refused.entries())
    expect([text, codes(await loaded(folders[index]!))]).toEqual([text, [code]]);
});

test('If a configuration multiplies itself, reading it ends with an error instead of exhausting memory.', async () => {
  const doubled = Array.from(
    { length: 60 },
    (_, i) => `  a${i + 1}: { default: "\${var.a${i}}\${var.a${i}}" }`,
  );
  const doubledBy = (first: string, next: (value: string) => string) =>
    `projects:\n  a0: ${first}\n${Array.from({ length: 60 }, (_, i) => `  a${i + 1}: ${next(`projects.a${i}`)}`).join('\n')}`;
  const nested = Array.from(
    { length: 12 },
    (_, i) => `  l${i + 1}: { default: [${Array(10).fill(`"\${var.l${i}}"`).join(', ')}] }`,
  );
  const many = Array.from({ length: 250_001 }, (_, i) => i).join(', ');
  const chain = Array.from({ length: 60 }, (_, i) => `  t${i}: { $use: [t${i + 1}] }`);
  const cases = [
    [`variables:\n  a0: { default: xxxxxxxxxx }\n${doubled.join('\n')}`, 'expression/too-long'],
    [
      doubledBy(
        '{ buildCommand: xxxxxxxxxx }',
        (a) => `{ buildCommand: "\${${a}.buildCommand}\${${a}.buildCommand}" }`,
      ),
      'expression/too-long',
    ],
    [
      `secrets: { s: {} }\n${doubledBy(
        '{ env: { A: { type: sensitive, target: [production], value: "${secret.s}" } } }',
        (a) =>
          `{ env: { A: { type: sensitive, target: [production], value: "\${${a}.env['A@production'].value}\${${a}.env['A@production'].value}" } } }`,
      )}`,
      'expression/too-long',
    ],
    [`variables:\n  l0: { default: [a] }\n${nested.join('\n')}`, 'expression/too-long'],
    [`templates:\n${chain.join('\n')}\n  t60: {}\nprojects: { a: { $use: [t0] } }`, 'config/cycle'],
    ...['(a+)+b', '(a|aa)*b', 'a*'.repeat(30)].map(
      (pattern) =>
        [
          `templates: { t: { $inputs: { a: { pattern: "${pattern}" } } } }
projects: { p: { $use: [{ t: { a: "${'a'.repeat(500)}c" } }] } }`,
          'input/value',
        ] as const,
    ),
    ['templates: { t: { $inputs: { a: { pattern: "(?=a)" } } } }', 'input/pattern'],
    ['templates: { t: { $inputs: { a: { pattern: "(a)\\\\1" } } } }', 'input/pattern'],
    [`projects:\n  "x\${each.key}": { $each: [${many}] }`, 'each/too-many'],
  ] as const;
  // The last one takes seconds. The bound of `$each` is counted as those of the next test are.
  const tried = first(cases, cases.length - 1);
  const folders = foldersWith(tried.map(([text]) => ({ 'trueup.yaml': `${header}${text}` })));
  for (const [index, [, code]] of tried.entries())
    expect(codes(await loaded(folders[index]!))).toContain(code);
});

/** Multiplies in the sum of what is small alone. */
const products: Record<
  string,
  () => [text: string, code: string, line: number, files?: Record<string, string>]
> = {
  'text of a variable by the fields of a template and its uses': () => [
    `variables: { v: { default: ${'x'.repeat(900_000)} } }
templates:
  t:
    buildCommand: "a \${var.v}"
    devCommand: "\${var.v} b"
projects:
  "p\${each.key}": { $each: [${Array.from({ length: 200 }, (_, i) => i).join(', ')}], $use: [t] }`,
    'config/too-large',
    6,
  ],
  'a value that is used as it is': () => [
    `variables: { v: { default: ${'x'.repeat(900_000)} } }
projects:
  "p\${each.key}":
    $each: [${Array.from({ length: 200 }, (_, i) => i).join(', ')}]
    buildCommand: "\${var.v}"`,
    'config/too-large',
    7,
  ],
  'items of lists in lists': () => [
    `variables:
  a: { default: [${Array(1_000).fill('a').join(', ')}] }
${Array.from({ length: 5 }, (_, i) => `  b${i}: { default: [${Array(500).fill('"...${var.a}"').join(', ')}] }`).join('\n')}`,
    'config/too-large',
    5,
  ],
  'text that references copy': () => [
    `projects:
  first: { buildCommand: ${'x'.repeat(900_000)} }
  "p\${each.key}":
    $each: [${Array.from({ length: 200 }, (_, i) => i).join(', ')}]
    buildCommand: "\${projects.first.buildCommand}"`,
    'config/too-large',
    7,
  ],
  'values in values': () => [
    `variables:
  v0: { default: [a] }
${Array.from({ length: 200 }, (_, i) => `  v${i + 1}: { default: ${'['.repeat(80)}"\${var.v${i}}"${']'.repeat(80)} }`).join('\n')}`,
    'yaml/depth',
    6,
  ],
  'names by globs': () => [
    `projects:\n${Array.from({ length: 2_000 }, (_, i) => `  p${i}: { $existing: true }\n`).join('')}sharedEnv:
${Array.from({ length: 1_001 }, (_, i) => `  A${i}: { value: "\${secret.s}", target: [production], projectId: ["*"] }`).join('\n')}
secrets: { s: {} }`,
    'config/too-large',
    2_005,
  ],
  'data files that several variables name': () => [
    `variables:\n${[0, 1, 2].map((i) => `  v${i}: { file: data.json }`).join('\n')}`,
    'config/too-large',
    4,
    { 'data.json': '\0'.repeat(33_000_000) },
  ],
  'patches by blocks': () => [
    `projects:\n${Array.from({ length: 2_000 }, (_, i) => `  p${i}: {}\n`).join('')}patches:
${Array.from({ length: 1_501 }, () => '  - { $at: "projects/*/env/*", value: x }').join('\n')}`,
    'patch/too-many',
    2_005,
  ],
  'patches of one unit': () => [
    `projects: { web: { env: { A: { value: x, target: [production], type: plain } } } }\npatches:
${Array.from({ length: 2_500 }, () => '  - { $at: projects/web/env/A@production, value: x }').join('\n')}`,
    'patch/too-many',
    2_452,
  ],
};

// The last four take seconds.
test.each(first(Object.keys(products), 5))(
  'the sum is bounded, and its largest part is named: %s',
  async (name) => {
    const [text, code, line, files = {}] = products[name]!();
    const { diagnostics } = await loaded(repository({ 'trueup.yaml': `${header}${text}`, ...files }));
    const found = diagnostics.filter((one) => one.code === code);
    expect(found.map(({ at }) => at?.line)).toEqual([line]);
  },
);

/** Globs that meet many names: the places where a configuration can have them. */
const crowds: Record<string, [text: (globs: string[]) => string, ifNothing: string, line: number]> = {
  patches: [
    (globs) =>
      `patches:\n${globs.map((glob) => `  - { $at: "projects/${glob}", framework: nextjs }`).join('\n')}`,
    'patch/nothing',
    5,
  ],
  owns: [(globs) => `owns:\n${globs.map((glob) => `  - "projects/${glob}"`).join('\n')}`, 'stack/outside', 5],
  'lists of names': [
    (globs) =>
      `sharedEnv:\n${globs.map((glob, i) => `  ${'A'.repeat(i + 1)}: { value: x, target: [production], projectId: ["${glob}"] }`).join('\n')}`,
    'name/nothing',
    5,
  ],
};

test('The globs of a configuration are matched in a limited number of steps, and if they need more, the error names the glob.', async () => {
  // Names of 100 characters `a` and `b`, which differ everywhere: as long as the name of a project may be.
  const nameOf = (i: number) => (i + 2 ** 19).toString(2).repeat(5).replace(/0/g, 'b').replace(/1/g, 'a');
  const long = Array.from({ length: 4_000 }, (_, i) => nameOf(i));
  const short = Array.from({ length: 300 }, (_, i) => `site-${i}`);
  for (const [place, [write, code, line]] of first(Object.entries(crowds), 1)) {
    const matched = async (names: string[], globs: string[]) => {
      const projects = names.map((name) => `${name}: {}`).join(', ');
      const text = `${header}projects: { ${projects} }\n${write(globs)}`;
      return (await loaded(repository({ 'trueup.yaml': text }))).diagnostics;
    };
    const many = await matched(
      short,
      short.map((name) => `*N${name}{a,}*`),
    );
    expect([place, ...new Set(many.map((problem) => problem.code))]).toEqual([place, code]);
    const slow = await matched(
      long,
      Array.from({ length: 40 }, (_, i) => '*a'.repeat(4_000 - i)),
    );
    // The globs that were matched before the limit may have their usual problem.
    const others = slow.filter((problem) => problem.code !== code);
    expect([place, others.map((problem) => [problem.code, problem.at?.line])]).toEqual([
      place,
      [['config/too-large', line]],
    ]);
  }
});

test('text of secrets is bounded in sum, too', async () => {
  const uses = Array.from(
    { length: 80 },
    (_, i) => `A${i}: { value: "a ${'${secret.big}'}", type: encrypted }`,
  );
  const shell = await new Shell().write({
    'trueup.yaml': `${header}secrets: { big: {} }\nprojects: { web: { env: { ${uses.join(', ')} } } }\n`,
  });
  await shell.withTwin();
  shell.env.TRUEUP_SECRET_big = 'x'.repeat(900_000);
  for (const [args, status] of [
    [['plan'], 0],
    [['apply', '--auto-approve'], 1],
  ] as const) {
    const ran = await shell.run([...args]);
    expect([ran.status, ran.stderr]).toEqual([status, expect.stringContaining('`big` makes most of them')]);
    expect(ran.stdout).not.toContain('xxx');
  }
});
