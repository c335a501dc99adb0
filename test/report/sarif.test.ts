import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { type Diagnostic, problem, warning } from '../../src/model/diagnostic.ts';
import { foldDiagnostics } from '../../src/model/fold-diagnostics.ts';
import { sarif } from '../../src/report/sarif.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { sweepOnly } from '../support/sweep.ts';
import { at } from './builders.ts';

const about = {
  version: '1.2.3',
  homepage: 'https://example.com/',
  file: 'trueup.yaml',
  locate: (file: string) => file,
  explain: (code: string) => (code === 'x' ? undefined : `About [this](page.md): \`${code}\`.\n\nMore.`),
};
const results = (diagnostics: Diagnostic[]) => JSON.parse(sarif(diagnostics, about)).runs[0].results;

/** A configuration with something of everything that can be wrong. */
const yaml = `stack: demo
platform: { team: acme }
projects:
  web:
    framewrok: nextjs
    nodeVersion: 1
    env: { A: { value: "\${secret.none}" }, "[x](https://example.com)": { target: [nowhere] } }
    domains: { a.example.com: { redirect: b.example.com } }
domains:
  example.com:
    records:
      - { type: A, name: "@", value: 192.0.2.1 }
      - { type: A, name: "@", value: 192.0.2.1 }
`;

const found = async () =>
  (await load({ kinds: kindsOf(hosting.kinds), cwd: '.', env: {}, text: yaml })).diagnostics;

/** What the validator that GitHub's documentation names has to say of each log: the codes of its own rules. */
function validated(logs: Record<string, string>): Record<string, string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-sarif-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const require = createRequire(import.meta.url);
  const tool = join(
    dirname(require.resolve('@microsoft/sarif-multitool-linux/package.json')),
    'Sarif.Multitool',
  );
  // What its install script does, where scripts are not run.
  chmodSync(tool, 0o755);
  const names = Object.keys(logs);
  for (const name of names) writeFileSync(join(folder, `${name}.sarif`), logs[name]!);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
    DOTNET_TieredPGO: '0',
  };
  const files = names.map((name) => `${name}.sarif`);
  try {
    execFileSync(tool, ['validate', ...files, '--output', 'report.txt', '--level', 'Error;Warning'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch {
    // It says so with its exit code if there is anything: what counts is in the report.
  }
  const [run] = JSON.parse(readFileSync(join(folder, 'report.txt'), 'utf8')).runs;
  return Object.fromEntries(
    names.map((name) => [
      name,
      run.results
        .filter(({ locations }: Result) =>
          locations[0]!.physicalLocation.artifactLocation.uri.endsWith(`${name}.sarif`),
        )
        .map(({ ruleId }: Result) => ruleId),
    ]),
  );
}

interface Result {
  ruleId: string;
  locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
}

sweepOnly('it is a program for .NET; here the parts of a log are looked at one by one')(
  'is valid for the real validator',
  async ({ skip }) => {
    skip(process.platform !== 'linux', 'its program is for Linux');
    const diagnostics = [...(await found()), warning('config/odd', 'has no place'), problem('x', 'is wrong')];
    expect(diagnostics.length).toBeGreaterThan(6);
    const broken = JSON.parse(sarif(diagnostics, about));
    delete broken.runs[0].results[0].message;
    const said = validated({
      some: sarif(diagnostics, about),
      none: sarif([], about),
      broken: JSON.stringify(broken),
    });
    expect([said.some, said.none]).toEqual([[], []]);
    expect(said.broken).not.toEqual([]);
  },
);

it('names the place, the rule and what belongs to it', () => {
  const [result] = results([
    problem('config/twice', 'declared twice', {
      at: { ...at(4, 7), file: 'a b/trüe.yaml' },
      address: 'projects/web',
      hint: 'remove one',
      related: [{ message: 'the first', at: at(2) }],
    }),
  ]);
  expect(result).toMatchObject({
    ruleId: 'config/twice',
    ruleIndex: 0,
    level: 'error',
    message: { text: 'declared twice\nremove one' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a%20b/tr%C3%BCe.yaml', uriBaseId: '%SRCROOT%' },
          region: { startLine: 4, startColumn: 7 },
        },
        logicalLocations: [{ fullyQualifiedName: 'projects/web' }],
      },
    ],
    relatedLocations: [{ message: { text: 'the first' } }],
  });
});

it('of very many places those are in it that code scanning shows', () => {
  const related = Array.from({ length: 2000 }, (_, i) => ({ message: `${i}`, at: at(i + 1) }));
  const [result] = results([problem('a/b', 'many', { at: at(1), related })]);
  expect(result!.relatedLocations).toHaveLength(99);
});

it('each place of a folded problem is a result of its own', () => {
  const one = (line: number) =>
    problem('a/b', `projects/p${line} is wrong`, { at: at(line), address: `projects/p${line}` });
  const all = results(foldDiagnostics([one(1), one(2), one(3)]));
  expect(all.map(({ message }: { message: { text: string } }) => message.text)).toEqual(
    [1, 2, 3].map((line) => `projects/p${line} is wrong`),
  );
  const prints = all.map(
    (result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0],
  );
  expect(new Set(prints).size).toBe(3);
});

it('a problem that moves in its file stays the same one, and no two have one fingerprint', () => {
  const one = (line: number, address = 'projects/web') =>
    problem('a/b', `at ${line}`, { at: at(line), address });
  const prints = (...diagnostics: Diagnostic[]) =>
    results(diagnostics).map(
      (result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0],
    );
  expect(prints(one(1))).toEqual(prints(one(9)));
  expect(prints(one(1))).not.toEqual(prints(one(1, 'projects/api')));
  expect(new Set(prints(one(1), one(2), one(3, 'projects/api'))).size).toBe(3);
});

it('what a user calls something is no link', () => {
  const [result] = results([problem('a/b', '`[x](https://example.com)` is unknown')]);
  expect(result.message.text).toBe('`[x] (https://example.com)` is unknown');
});

it('names the home page of the package, and none for a package without one', () => {
  const driver = (homepage?: string) => JSON.parse(sarif([], { ...about, homepage })).runs[0].tool.driver;
  expect(driver('https://example.com/')).toMatchObject({ informationUri: 'https://example.com/' });
  expect(driver()).not.toHaveProperty('informationUri');
});

it('errors come first, and a problem without a place has the file', () => {
  const all = results([warning('a/b', 'w', { at: at(1) }), problem('c/d', 'e')]);
  expect(all.map(({ level }: { level: string }) => level)).toEqual(['error', 'warning']);
  expect(all[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'trueup.yaml', uriBaseId: '%SRCROOT%' },
    region: { startLine: 1 },
  });
});

it('validate writes it, and exits with 1 where there is an error', async () => {
  const shell = await new Shell().write({
    'trueup.yaml': yaml,
    'fine.yaml': 'stack: a\nprojects: { web: {} }\n',
  });
  const broken = await shell.run(['validate', '--format', 'sarif']);
  expect(broken.status).toBe(1);
  expect(broken.stderr).toBe('');
  expect(JSON.parse(broken.stdout).runs[0].results.length).toBeGreaterThan(3);
  const fine = await shell.run(['validate', '--format', 'json', '--file', 'fine.yaml']);
  expect(fine.status).toBe(0);
  expect(JSON.parse(fine.stdout)).toEqual({
    formatVersion: '1.2',
    valid: true,
    errors: 0,
    warnings: 0,
    notes: 0,
    diagnostics: [],
  });
});

it('paths are from the top of the repository, wherever validate runs', async () => {
  const shell = await new Shell().write({ 'accounts/shop/trueup.yaml': yaml });
  const folder = join(shell.folder, 'accounts/shop');
  const uris = async (env: Record<string, string> = {}) => {
    const inside = new Shell(folder);
    inside.env = env;
    const { stdout } = await inside.run(['validate', '--format', 'sarif']);
    const all = JSON.parse(stdout).runs[0].results.flatMap((result: { locations: Located[] }) =>
      result.locations.map(({ physicalLocation }) => physicalLocation.artifactLocation.uri),
    );
    return [...new Set(all)];
  };
  // Outside of any repository there is only the folder itself.
  expect(await uris()).toEqual(['trueup.yaml']);
  initRepository(shell.folder);
  expect(await uris()).toEqual(['accounts/shop/trueup.yaml']);
  const workspace = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: join(shell.folder, 'accounts') };
  expect(await uris(workspace)).toEqual(['shop/trueup.yaml']);
});

interface Located {
  physicalLocation: { artifactLocation: { uri: string } };
}
