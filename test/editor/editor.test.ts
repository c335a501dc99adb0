import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { actionsAndLookups } from '../../providers/hosting/day-two.ts';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { editorSchema } from '../../src/config/editor/editor-schema.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { configure } from '../config/configure.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { type Block, samples } from '../support/samples.ts';
import { oneRowIn, oneStoryIn, sampled, sweepOnly } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { type Diagnostic, Editor } from './client.ts';

const story = oneStoryIn(5);

const modeline = '# yaml-language-server: $schema=schema.json\n';
const folder = mkdtempSync(join(tmpdir(), 'trueup-editor-'));
const root = pathToFileURL(folder).href;
let editor: Editor;

beforeAll(async () => {
  writeFileSync(
    join(folder, 'schema.json'),
    JSON.stringify(editorSchema(kinds, undefined, actionsAndLookups)),
  );
  editor = await Editor.start(root);
});
afterAll(async () => {
  await editor.stop();
  rmSync(folder, { recursive: true });
});

const told = (diagnostics: Diagnostic[], before = 1) =>
  diagnostics.map(
    ({ message, range: { start } }) => `${start.line - before + 1}:${start.character + 1} ${message}`,
  );
const problemsOf = async (text: string) => told((await editor.open(root, modeline + text)).diagnostics);
const offered = async (marked: string) =>
  (await editor.completions(root, modeline + marked)).map(({ label }) => label);
const hover = (marked: string) => editor.hover(root, modeline + marked);

describe('what is wrong', () => {
  story('is marked where it stands', async () => {
    expect(
      await problemsOf(`stack: seeded
plattform: { team: acme }
projects:
  web:
    framewrk: nextjs
    gitLFS: maybe
    $protct: true
    $exclusive: [envs]
    env:
      API_URL: { target: [staging], value: x }
      NO_VALUE: { target: [production] }
      NOTHING:
      9TH: x
    domains:
      example.com: { redirectStatusCode: 303 }
    firewall:
      crs: { sql: { active: true } }
      rules:
        - name: without an action
          active: true
          conditionGroup: [{ conditions: [{ type: path, op: pre, value: /a }] }]
domains:
  example.com:
    records:
      - { type: AX, name: www, ttl: 5 }
include: "\${stage}.yaml"
variables: { 2nd: { file: "\${stage}.csv" } }
webhooks:
  without fields:
`),
    ).toEqual([
      '2:1 Property plattform is not allowed.',
      '5:5 Property framewrk is not allowed.',
      '6:13 Incorrect type. Expected "boolean".',
      '7:5 Property $protct is not allowed.',
      expect.stringMatching(/^8:18 Value is not accepted\. Valid values: .*"env"/),
      '10:27 Value is not accepted. Valid values: "production", "preview", "development".',
      expect.stringMatching(/^12:15 Incorrect type/),
      '13:7 a name can have letters, digits and underscores, and cannot start with a digit',
      '15:42 Value is not accepted. Valid values: 301, 302, 307, 308, null.',
      '17:14 Property sql is not allowed.',
      '19:11 Missing property "action".',
      expect.stringMatching(/^25:17 Value is not accepted\. Valid values: "A", "AAAA"/),
      '25:37 Value is below the minimum of 60.',
      '26:10 This cannot contain an expression.',
      '27:14 The name of a variable can have letters, digits, `_` and `-`, and starts with a letter or `_`.',
      '27:27 This cannot contain an expression.',
      '29:18 Incorrect type. Expected one of object, string.',
    ]);
  });

  story('is not what is only unusual', async () => {
    const text = `stack: 2024
x-anything: [1, { a: b }]
lookups: { 1st: { deployment: { project: web } } }
findings: [{ code: "\${var.code}", at: ["projects/\${var.name}"], severity: "\${var.severity}", reason: "\${var.why}" }]
variables: { on: { default: true }, sizes: { default: [1, 2] } }
projects:
  web:
    $existing: true
    env:
      PORT: 3000
      DEBUG: true
      BASE: &base { value: 1.10, target: "\${var.targets}" }
      SAME: { <<: *base, type: plain }
      "\${var.name}": x
  other:
  third:
    framework: one-that-is-new
    gitLFS: \${var.on}
    skewProtectionMaxAge: "\${var.age}"
    resourceConfig: \${var.resources}
    name: third
    env: \${var.env}
    rootDirectory: 2024
    buildCommand: null
    firewall: { crs: { "\${var.category}": { active: true } } }
    $ignore: [resourceConfig.fluid]
domains:
  \${var.apex}: { records: ["\${var.record}", { type: "\${var.type}", name: "@", value: 1, ttl: "\${var.ttl}" }] }
`;
    expect(await problemsOf(text)).toEqual([]);
  });
});

describe('the schema takes what the loader takes', () => {
  story('in every document of a file', async () => {
    const one = `${modeline}stack: x\nprojets: {}\n`;
    const { diagnostics } = await editor.open(root, [one, one, one].join('---\n'));
    expect(diagnostics.map(({ range }) => range.start.line)).toEqual([2, 6, 10]);
  });

  const examples = readdirSync('examples', { recursive: true, encoding: 'utf8' });

  // Workspaces, guards, tests and what starts workers are not configurations.
  oneRowIn(5)(
    examples.filter((name) => /(?<!\.workspace|\.test|guards|checkov\/\w+|fleet\/\w+)\.yaml$/.test(name)),
  )('examples/%s', async (name) => {
    expect(await problemsOf(readFileSync(join('examples', name), 'utf8'))).toEqual([]);
  });

  const shown = allKinds.filter(({ name }) => samples[name]);
  it.each(sampled(shown, 1).map((kind) => [kind.name, kind] as const))('samples of %s', async (_, kind) => {
    const cases = casesOf(kind);
    const bodies = [0, 1, 2, 3].map((step) => bodyOf(kind, cases, step));
    const texts = [...bodies, ...bodies.map((body) => ({ ...body, ...withVariables(body) }))].map((body) =>
      stringify({ stack: 'test', ...body }, { aliasDuplicateObjects: false }),
    );
    for (const text of texts) {
      const { diagnostics } = await configure(text, { kinds });
      expect(hasErrors(diagnostics), JSON.stringify(diagnostics.slice(0, 3))).toBe(false);
    }
    // Each document needs the line: the server looks for it in the document's own comments.
    const all = texts.map((text) => modeline + text).join('---\n');
    const lines = all.split('\n');
    const { diagnostics } = await editor.open(root, all);
    const shown = diagnostics.map(({ message, range }) => `${lines[range.start.line]?.trim()}: ${message}`);
    expect(shown).toEqual([]);
  });
});

describe('completion', () => {
  it('offers the header and sections at the root, child sections, fields and `$` keys in a block', async () => {
    expect(await offered('|')).toEqual(
      expect.arrayContaining(['stack', 'platform', 'variables', 'secrets', 'projects', 'domains']),
    );
    const inProject = await offered('projects:\n  web:\n    |');
    expect(inProject).toEqual(
      expect.arrayContaining([
        'framework',
        'gitLFS',
        'env',
        'domains',
        'firewall',
        '$existing',
        '$exclusive',
      ]),
    );
    expect(inProject).not.toContain('records');
    // The key of the map says it, and nothing is lost that a replacement would need.
    expect(inProject).not.toContain('name');
    expect(inProject).not.toContain('$replace');
  });

  it('offers the fields of the right kind, in a list and in a map of lists', async () => {
    const record = await offered('domains:\n  example.com:\n    records:\n      - |');
    expect(record).toEqual(expect.arrayContaining(['type', 'name', 'mxPriority', '$ignore']));
    expect(record).not.toContain('framework');
    expect(record).not.toContain('$exclusive');
    for (const marked of ['|', '- |']) {
      const variable = await offered(`projects:\n  web:\n    env:\n      NAME:\n        ${marked}`);
      expect(variable).toEqual(expect.arrayContaining(['value', 'target', 'gitBranch', '$was']));
      expect(variable).not.toContain('mxPriority');
    }
  });

  story(
    'offers values: of enums open and closed, of flags, of keys that are known, of `$` keys',
    async () => {
      const inProject = (line: string) => offered(`projects:\n  web:\n    ${line}`);
      expect(await inProject('framework: |')).toEqual(expect.arrayContaining(['nextjs', 'astro']));
      expect(await inProject('gitLFS: |')).toEqual(['true', 'false']);
      expect(await inProject('buildCommand: |')).toEqual([]);
      expect(await inProject('env:\n      A:\n        type: |')).toEqual(['encrypted', 'plain', 'sensitive']);
      expect(await inProject('env:\n      A:\n        target:\n          - |')).toEqual(
        expect.arrayContaining(['production', 'preview', 'development']),
      );
      expect(await inProject('firewall:\n      crs:\n        |')).toEqual(
        expect.arrayContaining(['sqli', 'xss']),
      );
      expect(await inProject('firewall:\n      managedRules:\n        |')).toContain('owasp');
      expect(await inProject('$exclusive:\n      - |')).toEqual(expect.arrayContaining(['env', 'domains']));
      expect(await offered('removed:\n  - |')).toEqual(expect.arrayContaining(['at', 'delete', 'objects']));
      expect(await offered('secrets:\n  token:\n    |')).toEqual([
        'env',
        'file',
        'command',
        'dotenv',
        'json',
        'format',
        'sops',
      ]);
    },
  );
});

describe('what follows and what is only read', () => {
  const top = 'stack: seeded\n';
  it('is offered by name, with what it takes', async () => {
    const then = await offered(`${top}projects:\n  web:\n    $then:\n      - |`);
    expect(then).toEqual(expect.arrayContaining(['redeploy', 'verify', 'invalidateByTags', 'when', 'wait']));
    expect(then).not.toContain('buyDomain');
    expect(await offered(`${top}projects:\n  web:\n    $then:\n      - redeploy:\n          |`)).toEqual(
      expect.arrayContaining(['target', 'deployment', 'project']),
    );
    expect(await offered(`${top}lookups:\n  live:\n    |`)).toEqual(
      expect.arrayContaining(['deployment', 'rollout', 'verification']),
    );
    const conditions = await offered(`${top}lookups:\n  live:\n    deployment:\n      |`);
    expect(conditions).toEqual(expect.arrayContaining(['project', 'target', 'branch', 'state']));
    expect(await offered(`${top}lookups:\n  live:\n    deployment:\n      state: |`)).toContain('READY');
    expect(await offered(`${top}lookups:\n  code:\n    domainAuthCode:\n      |`)).not.toContain('authCode');
  });

  story('is marked where it is wrong, and nowhere else', async () => {
    const text = (lookup: string, then: string) =>
      `${top}lookups:\n  live: { ${lookup} }\nprojects:\n  web:\n    $then: [${then}]\n`;
    const right = text(
      'deployment: { project: web, target: production, state: READY }',
      'verify, { redeploy: { deployment: "${lookup.live.id}" }, when: [env], drift: true, wait: { minutes: 3 } }',
    );
    expect(await problemsOf(right)).toEqual([]);
    const wrong = await problemsOf(
      text('deployment: { projekt: web }', '{ redeploy: { deploymnt: x } }, { buyDomain: {} }'),
    );
    expect(wrong.map((line) => line.split(' ', 1)[0])).toEqual(['3:25', '6:27', '6:45']);
  });
});

describe('hover', () => {
  it('shows the documentation of fields, sections, blocks, `$` keys and the header', async () => {
    const inProject = (line: string) => hover(`projects:\n  web:\n    ${line}`);
    expect(await inProject('framew|ork: nextjs')).toContain('The framework that decides the build defaults');
    expect(await inProject('buildComm|and: make')).toContain('The build command');
    expect(await inProject('env: { A: [{ val|ue: x }] }')).toMatch(/builds and functions see.* A secret/s);
    expect(await inProject('env: { A: { ty|pe: plain } }')).toContain('How the value is kept');
    expect(await inProject('e|nv: {}')).toContain('An environment variable of a project');
    expect(await inProject('$prot|ect: true')).toContain('never deleted');
    expect(await hover('projects:\n  we|b: {}')).toContain('A project: build settings');
    expect(await hover('st|ack: x')).toContain('and of its ledger');
  });

  it('says each thing once', async () => {
    const lines = [
      'buildComm|and: make',
      'framew|ork: new',
      'env: { A|: x }',
      'env: { A: { ty|pe: plain } }',
    ];
    for (const line of lines) expect(await hover(`projects:\n  web:\n    ${line}`), line).not.toContain('||');
  });
});

sweepOnly('it tells times; samples of kinds and the examples are opened here')(
  '1,000 resources: how long an editor waits',
  async () => {
    const projects = Array.from({ length: 100 }, (_, i): [string, Block] => [
      `site-${i}`,
      {
        framework: 'nextjs',
        env: Object.fromEntries(
          Array.from({ length: 4 }, (_, j) => [`NAME_${j}`, { value: `v${j}`, target: ['production'] }]),
        ),
        domains: {
          [`www-${i}.example.com`]: {},
          [`site-${i}.example.com`]: { redirect: `www-${i}.example.com` },
        },
      },
    ]);
    const records = Array.from({ length: 300 }, (_, i) => ({
      type: 'A',
      name: `site-${i}`,
      value: '192.0.2.1',
      ttl: 300,
    }));
    const text = `${modeline}${stringify({
      stack: 'large',
      projects: Object.fromEntries(projects),
      domains: { 'example.com': { records } },
    })}`;
    const { desired, diagnostics: loaded } = await configure(text, { kinds });
    expect(loaded).toEqual([]);
    expect(desired.resources.size).toBeGreaterThan(1000);
    const times: Record<string, string> = {};
    const timed = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      const start = performance.now();
      const result = await run();
      times[name] = `${Math.round(performance.now() - start)} ms`;
      return result;
    };
    const { diagnostics } = await timed('diagnostics', () => editor.open(root, text));
    expect(diagnostics).toEqual([]);
    const { diagnostics: found, uri } = await timed('diagnostics, with a mistake', () =>
      editor.open(root, text.replace('framework: nextjs', 'framewrk: nextjs')),
    );
    expect(told(found)).toEqual([expect.stringContaining('Property framewrk is not allowed.')]);
    const line = text.split('\n').findLastIndex((each) => each.includes('framework'));
    const at = (character: number) => ({ line, character });
    const keys = await timed('completion of keys', () => editor.complete(uri, at(4)));
    expect(keys.map(({ label }) => label)).toContain('buildCommand');
    const values = await timed('completion of values', () => editor.complete(uri, at(15)));
    expect(values.map(({ label }) => label)).toContain('astro');
    console.log(
      `editor: ${text.length} bytes of YAML, ${desired.resources.size} resources, ${JSON.stringify(times)}`,
    );
  },
);

it('no request leaves the machine', async () => {
  expect(editor.connections).toBe(0);
  // The trap works: a schema that has to be fetched is.
  const server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const line = `# yaml-language-server: $schema=http://127.0.0.1:${port}/schema.json\n`;
  await editor.open(root, `${line}stack: x\n`);
  expect(editor.connections).toBeGreaterThan(0);
  server.closeAllConnections();
  server.close();
});

/** The body with a variable in place of each value that is no map; and the variables. */
function withVariables(body: Block): Block {
  const variables: Block = {};
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value) && value.some((item) => typeof item === 'object')) return value.map(replaced);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]));
    // The value of a variable holds no expression itself.
    if (JSON.stringify(value).includes('${')) return value;
    const name = `v${Object.keys(variables).length}`;
    variables[name] = { default: value };
    return `\${var.${name}}`;
  };
  return { ...(replaced(body) as Block), variables };
}
