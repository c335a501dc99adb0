import { afterAll, beforeAll, expect } from 'vitest';
import { oneRowIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { acceptIn, fileOf } from './accepted-text.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
  world.env.BUILD = 'one';
});
afterAll(() => world.stop());

/** What somebody changes in the account: fields of projects, by project, and values of variables, by project and variable. */
interface Outside {
  fields?: Record<string, Record<string, unknown>>;
  values?: Record<string, string>;
  /** Values and TTLs of DNS records, by their names. */
  records?: Record<string, { value?: string; ttl?: number; comment?: string }>;
  /** The names of projects and DNS records that are deleted. */
  deleted?: string[];
}

interface Case {
  /** The configuration without its header. */
  yaml: string;
  /** The data files by name. */
  data?: Record<string, string>;
  varFile?: string;
  stage?: string;
  outside: Outside;
  /** The lines that are different afterwards, as `- old` and `+ new`. */
  changed: string[];
  notes?: string[];
  /** Why `accept` writes nothing. */
  unplaced?: string[];
}

const sites = (more = '') => `variables: { sites: { file: sites.csv } }
templates:
  site: { $inputs: { node: {}, build: {} }, nodeVersion: "\${input.node}", buildCommand: "make \${input.build} -j" }
projects:
  site-\${each.key}: { $each: "\${var.sites}", $use: { site: { node: "\${each.value.node}", build: "\${each.value.build}" } } }
${more}`;

const zones = (more = '') => `variables: { zones: { file: zones.csv } }
domains: { example.com: { records: [{ $each: "\${var.zones}", type: A, name: "\${each.key}", value: "\${each.value.ip}" }] } }
${more}`;

const cases: Record<string, Case> = {
  'a cell, through the input of a template': {
    yaml: sites(),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two\n' },
    outside: { fields: { 'site-at': { nodeVersion: '20.x' } } },
    changed: ['- at,22.x,one', '+ at,20.x,one'],
  },
  'a cell that an entry of `removed` reads as well': {
    yaml: sites('removed: [{ at: "projects/old-${var.sites.at.node}", delete: true }]'),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two\n' },
    outside: { fields: { 'site-at': { nodeVersion: '20.x' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/site-at', '+     nodeVersion: 20.x'],
    notes: [
      'projects/site-at: `nodeVersion` is not written at sites.csv:2, because the header of the configuration depends on it',
    ],
  },
  'a cell behind a text, with quotes, other line ends, spaces and a cell of two lines': {
    yaml: sites(),
    data: { 'sites.csv': 'code, node ,build\r\n"at",22.x, "o""n,e" \r\n\r\ngb,22.x,"two\r\nlines"\r\n' },
    outside: { fields: { 'site-at': { buildCommand: 'make x "y", z -j', nodeVersion: '24.x' } } },
    changed: ['- "at",22.x, "o""n,e" \r', '+ "at",24.x, "x ""y"", z" \r'],
  },
  'a cell that needs quotes from now on': {
    yaml: sites(),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two' },
    outside: { fields: { 'site-gb': { buildCommand: 'make a,b -j' } } },
    changed: ['- gb,22.x,two', '+ gb,22.x,"a,b"'],
  },
  'a text that no cell makes': {
    yaml: sites(),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\n' },
    outside: { fields: { 'site-at': { buildCommand: 'ninja' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/site-at', '+     buildCommand: ninja'],
    notes: [
      'projects/site-at: `buildCommand` is not written at sites.csv:2, because no text there makes this value',
    ],
  },
  'a cell that would be trimmed': {
    yaml: sites(),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\n' },
    outside: { fields: { 'site-at': { buildCommand: 'make  -j' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/site-at', '+     buildCommand: make  -j'],
    notes: [
      'projects/site-at: `buildCommand` is not written at sites.csv:2, because the configuration would be wrong: `each.value.build` has no value',
    ],
  },
  'a cell that two objects use': {
    yaml: sites('  hand: { nodeVersion: "${var.sites.at.node}" }\n'),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\n' },
    outside: { fields: { 'site-at': { nodeVersion: '20.x' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/site-at', '+     nodeVersion: 20.x'],
    notes: [
      'projects/site-at: `nodeVersion` is not written at sites.csv:2, because 2 values come from there',
    ],
  },
  'a cell on which a condition depends': {
    yaml: sites(
      '  x-${each.key}: { $each: "${var.sites}", $when: { each.value.node: 22.x }, framework: nextjs }\n',
    ),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two\n' },
    outside: { fields: { 'site-at': { nodeVersion: '20.x' }, 'site-gb': { buildCommand: 'make three -j' } } },
    changed: [
      '- gb,22.x,two',
      '+ gb,22.x,three',
      '+ ',
      '+ patches:',
      '+   - $at: projects/site-at',
      '+     nodeVersion: 20.x',
    ],
    notes: [
      'projects/site-at: `nodeVersion` is not written at sites.csv:2, because projects/x-at would be removed, too',
    ],
  },
  'a file of two variables': {
    yaml: sites('  x-${each.key}: { $each: "${var.again}", buildCommand: "${each.value.build}" }\n').replace(
      'variables: {',
      'variables: { again: { file: sites.csv },',
    ),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two\n' },
    outside: { fields: { 'site-at': { nodeVersion: '20.x', buildCommand: 'make x -j' } } },
    changed: [
      '- at,22.x,one',
      '+ at,20.x,one',
      '+ ',
      '+ patches:',
      '+   - $at: projects/site-at',
      '+     buildCommand: make x -j',
    ],
    notes: [
      'projects/site-at: `buildCommand` is not written at sites.csv:2, because 2 values come from there',
    ],
  },
  'a row of a file of two variables': {
    yaml: sites('  x-${each.key}: { $each: "${var.again}", buildCommand: "${each.value.build}" }\n').replace(
      'variables: {',
      'variables: { again: { file: sites.csv },',
    ),
    data: { 'sites.csv': 'code,node,build\nat,22.x,one\ngb,22.x,two\n' },
    outside: { deleted: ['site-at'] },
    changed: [],
    unplaced: ['it no longer exists, but sites.csv:2 is not removed, because it also makes projects/x-at'],
  },
  'a filter': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  s-${each.key}: { $each: "${var.sites}", buildCommand: "${each.value.build | lower}" }\n',
    data: { 'sites.csv': 'code,build\nat,ONE\n' },
    outside: { fields: { 's-at': { buildCommand: 'two' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/s-at', '+     buildCommand: two'],
    notes: [
      'projects/s-at: `buildCommand` cannot be written where its data is: the filter in `${each.value.build | lower}` cannot be reversed',
    ],
  },
  'two expressions in one text': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  s-${each.key}: { $each: "${var.sites}", buildCommand: "${each.key} ${each.value.build}" }\n',
    data: { 'sites.csv': 'code,build\nat,one\n' },
    outside: { fields: { 's-at': { buildCommand: 'at two' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/s-at', '+     buildCommand: at two'],
    notes: [
      'projects/s-at: `buildCommand` cannot be written where its data is: it is put together from several values',
    ],
  },
  'a cell that may be empty, of a value that is gone': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  s-${each.key}: { $each: "${var.sites}", framework: nextjs, buildCommand: "${each.value.build?}" }\n',
    data: { 'sites.csv': 'code,build\nat,one\ngb,two\n' },
    outside: { fields: { 's-at': { buildCommand: null } } },
    changed: ['- at,one', '+ at,'],
  },
  'a member of a YAML file, with its comment': {
    yaml: 'variables: { sites: { file: sites.yaml } }\nprojects:\n  s-${each.key}: { $each: "${var.sites}", nodeVersion: "${each.value.node}" }\n',
    data: { 'sites.yaml': '# Sites.\nat:\n  node: "22.x" # old\ngb: { node: 22.x }\n' },
    outside: { fields: { 's-at': { nodeVersion: '20.x' }, 's-gb': { nodeVersion: '24.x' } } },
    changed: [
      '-   node: "22.x" # old',
      '- gb: { node: 22.x }',
      '+   node: "20.x" # old',
      '+ gb: { node: 24.x }',
    ],
  },
  'a member of a JSON file, of an item of a list': {
    yaml: 'variables: { sites: { file: sites.json } }\nprojects:\n  s-${each.value.name}: { $each: "${var.sites}", nodeVersion: "${each.value.node}", env: "${each.value.env}" }\n',
    data: {
      'sites.json':
        '[\n  {"name": "at", "node": "22.x", "env": {"A": {"value": "a", "type": "plain"}}},\n  {"name": "gb", "node": "22.x", "env": {}}\n]\n',
    },
    outside: { fields: { 's-at': { nodeVersion: '20.x' } }, values: { 's-at A': 'the ${b}' } },
    changed: [
      '-   {"name": "at", "node": "22.x", "env": {"A": {"value": "a", "type": "plain"}}},',
      '+   {"name": "at", "node": "20.x", "env": {"A": {"value": "the ${b}", "type": "plain"}}},',
    ],
  },
  'a value of a YAML file that an alias repeats, and one that an expression needs': {
    yaml: 'variables: { sites: { file: sites.yaml } }\nprojects:\n  s-${each.key}: { $each: "${var.sites}", framework: "${each.value.framework}", nodeVersion: "${each.value.node}" }\n',
    data: {
      'sites.yaml': 'at: { node: &node 22.x, framework: nextjs }\ngb: { node: *node, framework: astro }\n',
    },
    outside: { fields: { 's-at': { nodeVersion: '20.x', framework: null } } },
    changed: [
      '+ ',
      '+ patches:',
      '+   - $at: projects/s-at',
      '+     framework: null',
      '+     nodeVersion: 20.x',
    ],
    notes: [
      'projects/s-at: `framework` is not written at sites.yaml:1, because the expression needs a value',
      'projects/s-at: `nodeVersion` is not written at sites.yaml:1, because an alias repeats it',
    ],
  },
  'a map of a data file that two objects use': {
    yaml: 'variables: { sites: { file: sites.yaml } }\nprojects:\n  one: { env: "${var.sites.env}" }\n  two: { env: "${var.sites.env}" }\n',
    data: { 'sites.yaml': 'env:\n  A: { value: a, type: plain }\n' },
    outside: { values: { 'one A': 'b' } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/one/env/A', '+     value: b'],
    notes: [
      'projects/one/env/A@production: `value` is not written at sites.yaml:2, because 2 values come from there',
    ],
  },
  'a data file that looks like a configuration': {
    yaml: 'variables: { data: { file: data.yaml } }\nprojects:\n  "${each.key}": { $each: "${var.data.projects}", nodeVersion: "${each.value.nodeVersion}", env: "${each.value.env}" }\n  other: { env: "${var.data.projects.web.env}" }\n',
    data: {
      'data.yaml':
        'projects:\n  web: { nodeVersion: 22.x, env: { A: { value: a, type: plain } } }\n  api: { nodeVersion: 22.x, env: {} }\n',
    },
    outside: {
      fields: { api: { nodeVersion: '20.x' } },
      values: { 'web A': 'b' },
    },
    changed: [
      '-   api: { nodeVersion: 22.x, env: {} }',
      '+   api: { nodeVersion: 20.x, env: {} }',
      '+ ',
      '+ patches:',
      '+   - $at: projects/web/env/A',
      '+     value: b',
    ],
    notes: [
      'projects/web/env/A@production: `value` is not written at data.yaml:2, because 2 values come from there',
    ],
  },
  'a list of a data file': {
    yaml: 'variables: { zones: { file: zones.yaml } }\ndomains:\n  "${each.key}": { $each: "${var.zones}", records: "${each.value}" }\n',
    data: {
      'zones.yaml':
        'example.com:\n  - { type: A, name: a, value: 192.0.2.1 } # ours\n  - { type: A, name: b, value: 192.0.2.2 }\n',
    },
    outside: { records: { a: { value: '192.0.2.9' } }, deleted: ['b'] },
    changed: [
      '-   - { type: A, name: a, value: 192.0.2.1 } # ours',
      '-   - { type: A, name: b, value: 192.0.2.2 }',
      '+   - { type: A, name: a, value: 192.0.2.9 } # ours',
    ],
  },
  'an input in the block': {
    yaml: 'templates:\n  site: { $inputs: { node: {}, build: { default: "a" } }, nodeVersion: "${input.node}", buildCommand: "${input.build}" }\nprojects:\n  web:\n    $use: { site: { node: 22.x } } # ours\n  api: { $use: { site: { node: 22.x } } }\n',
    outside: { fields: { web: { nodeVersion: '20.x', buildCommand: 'b' } } },
    changed: [
      '-     $use: { site: { node: 22.x } } # ours',
      '+     $use: { site: { node: 20.x } } # ours',
      '+     buildCommand: b',
    ],
  },
  'a member of `$each` in the block': {
    yaml: 'projects:\n  s-${each.key}:\n    $each: { at: 22.x, gb: 22.x }\n    nodeVersion: "${each.value}"\n',
    outside: { fields: { 's-gb': { nodeVersion: '20.x' } } },
    changed: ['-     $each: { at: 22.x, gb: 22.x }', '+     $each: { at: 22.x, gb: 20.x }'],
  },
  'the default of a variable': {
    yaml: 'variables: { node: { default: 22.x }, host: { default: a.example } }\nprojects:\n  web: { nodeVersion: "${var.node}", buildCommand: "x ${var.host}" }\n  api: { nodeVersion: 22.x, buildCommand: "y ${var.host}" }\n',
    outside: { fields: { web: { nodeVersion: '20.x', buildCommand: 'x b' } } },
    changed: [
      '- variables: { node: { default: 22.x }, host: { default: a.example } }',
      '+ variables: { node: { default: 20.x }, host: { default: a.example } }',
      '+ ',
      '+ patches:',
      '+   - $at: projects/web',
      '+     buildCommand: x b',
    ],
    notes: ['projects/web: `buildCommand` is not written at trueup.yaml:3, because 2 values come from there'],
  },
  'a variable of the environment': {
    yaml: 'variables: { build: { env: BUILD } }\nprojects:\n  web: { buildCommand: "${var.build}" }\n',
    outside: { fields: { web: { buildCommand: 'two' } } },
    changed: ['+ ', '+ patches:', '+   - $at: projects/web', '+     buildCommand: two'],
    notes: [
      'projects/web: `buildCommand` cannot be written where its data is: a flag or an environment variable sets it',
    ],
  },
  'a text with `${` in a variable': {
    yaml: 'variables: { build: { default: "$${A}" } }\nprojects:\n  web: { buildCommand: "x ${var.build}" }\n',
    outside: { fields: { web: { buildCommand: 'x ${B}' } } },
    changed: ['- variables: { build: { default: "$${A}" } }', '+ variables: { build: { default: "$${B}" } }'],
  },
  'a file of variables': {
    yaml: 'variables: { node: {} }\nprojects:\n  web: { nodeVersion: "${var.node}" }\n',
    varFile: 'node: 22.x # for now\n',
    outside: { fields: { web: { nodeVersion: '20.x' } } },
    changed: ['- node: 22.x # for now', '+ node: 20.x # for now'],
  },
  'the cell of a DNS record, without the members that nobody declares': {
    yaml: zones(),
    data: { 'zones.csv': 'name,ip\na,192.0.2.1\nb,192.0.2.2\n' },
    outside: { records: { a: { value: '192.0.2.9', ttl: 300, comment: 'theirs' } } },
    changed: ['- a,192.0.2.1', '+ a,192.0.2.9'],
  },
  'a DNS record by a patch, without the members that nobody declares': {
    yaml: zones('projects: { web: { buildCommand: "${var.zones.a.ip}" } }\n'),
    data: { 'zones.csv': 'name,ip\na,192.0.2.1\nb,192.0.2.2\n' },
    outside: { records: { a: { value: '192.0.2.9', ttl: 300, comment: 'theirs' } } },
    changed: [
      '+ ',
      '+ patches:',
      '+   - $at: domains/example.com',
      '+     $drop: [records/a/A]',
      '+     records: [{ name: a, type: A, value: 192.0.2.9 }]',
    ],
    notes: [
      'domains/example.com/records/a/A: `value` is not written at zones.csv:2, because 2 values come from there',
    ],
  },
  'the row of a deleted record': {
    yaml: zones(),
    data: { 'zones.csv': 'name,ip\r\n"a",192.0.2.1\r\nb,192.0.2.2' },
    outside: { deleted: ['b'] },
    changed: ['- b,192.0.2.2', '+ '],
  },
  'the row of a deleted record that makes something else': {
    yaml: zones('projects: { "p-${each.key}": { $each: "${var.zones}", framework: nextjs } }\n'),
    data: { 'zones.csv': 'name,ip\na,192.0.2.1\nb,192.0.2.2\n' },
    outside: { deleted: ['b'] },
    changed: ['+ ', '+ patches:', '+   - $at: domains/example.com', '+     $drop: [records/b/A]'],
    notes: [
      'domains/example.com/records/b/A: zones.csv:3 is not removed, because it also makes projects/p-b',
    ],
  },
  'the row of a deleted project that makes something else': {
    yaml: zones('projects: { "p-${each.key}": { $each: "${var.zones}", framework: nextjs } }\n'),
    data: { 'zones.csv': 'name,ip\na,192.0.2.1\nb,192.0.2.2\n' },
    outside: { deleted: ['p-b'] },
    changed: [],
    unplaced: [
      'it no longer exists, but zones.csv:3 is not removed, because it also makes domains/example.com/records/b/A',
    ],
  },
  'the row of a project with variables': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  "s-${each.key}": { $each: "${var.sites}", env: { A: { value: "${each.value.a}", type: plain } } }\n',
    data: { 'sites.csv': 'code,a\nat,"1\n2"\ngb,3\n' },
    outside: { deleted: ['s-at'] },
    changed: ['- at,"1', '- 2"'],
  },
  'the only row': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  web: {}\n  "s-${each.key}": { $each: "${var.sites}", framework: nextjs }\n',
    data: { 'sites.csv': 'code,a\nat,1\n' },
    outside: { deleted: ['s-at'] },
    changed: [],
    unplaced: [
      'it no longer exists, but sites.csv:2 is not removed, because the configuration would be wrong: the file has a header, but no rows',
    ],
  },
  'the item of a list of maps': {
    yaml: 'variables: { sites: { file: sites.yaml } }\nprojects:\n  "s-${each.value.name}": { $each: "${var.sites}", framework: nextjs }\n',
    data: {
      'sites.yaml': '- { name: at, a: 1 }\n# Great Britain\n- name: gb\n  a: 2\n- { name: de, a: 3 }\n',
    },
    outside: { deleted: ['s-gb'] },
    changed: ['- # Great Britain', '- - name: gb', '-   a: 2'],
  },
  'a row on which another object depends': {
    yaml: 'variables: { sites: { file: sites.csv } }\nprojects:\n  "s-${each.key}": { $each: "${var.sites}", framework: nextjs }\n  web: { $when: { var.sites.gb: { set: true } }, framework: nextjs }\n',
    data: { 'sites.csv': 'code,a\nat,1\ngb,3\n' },
    outside: { deleted: ['s-gb'] },
    changed: [],
    unplaced: [
      'it no longer exists, but sites.csv:3 is not removed, because projects/web would be removed, too',
    ],
  },
  'a member of `$each` of a deleted object': {
    yaml: 'projects:\n  s-${each.key}:\n    $each: { at: 22.x, gb: 22.x }\n    nodeVersion: "${each.value}"\n',
    outside: { deleted: ['s-gb'] },
    changed: ['-     $each: { at: 22.x, gb: 22.x }', '+     $each: { at: 22.x }'],
  },
  'the variable of a stage, and one of all stages': {
    yaml: 'stages: { production: { variables: { node: 22.x } }, staging: {} }\nvariables: { node: { default: 24.x }, build: { default: a } }\nprojects:\n  web: { nodeVersion: "${var.node}", buildCommand: "${var.build}" }\n',
    stage: 'production',
    outside: { fields: { web: { nodeVersion: '20.x', buildCommand: 'b' } } },
    changed: [
      '- stages: { production: { variables: { node: 22.x } }, staging: {} }',
      '+ stages: { production: { variables: { node: 20.x } }, staging: {} }',
      '+ ',
      '+ patches:',
      '+   - $at: projects/web',
      '+     $when: { stage: production }',
      '+     buildCommand: b',
    ],
    notes: ['projects/web: `buildCommand` is not written at trueup.yaml:4, because that is for all stages'],
  },
};

oneRowIn(5)(Object.entries(cases))(
  '%s',
  async (_, { yaml, data = {}, varFile, stage, outside, changed, notes = [], unplaced = [] }) => {
    world.clear();
    world.tracked = Object.keys(data);
    world.varFiles = varFile === undefined ? [] : ['vars.yaml'];
    if (stage === undefined) delete world.stage;
    else world.stage = stage;
    const files = {
      ...fileOf(world, yaml),
      ...data,
      ...(varFile === undefined ? {} : { 'vars.yaml': varFile }),
    };
    await world.converge(files);
    changeOutside(outside);
    const result = await acceptIn(world, files);
    const { wrong, leftOut, open, originNotes, after } = result;
    if (unplaced.length > 0) {
      expect(result.unplaced.map(({ reason }) => reason)).toEqual(unplaced);
      return;
    }
    expect({ wrong, unplaced: result.unplaced, leftOut, open, operations: after.operations }).toEqual({
      wrong: [],
      unplaced: [],
      leftOut: [],
      open: [],
      operations: [],
    });
    expect(linesChanged(files, result.texts)).toEqual(changed);
    expect(originNotes.map(({ address, text }) => `${address}: ${text}`)).toEqual(notes);
  },
);

function changeOutside({ fields = {}, values = {}, records = {}, deleted = [] }: Outside): void {
  const { projects, domains } = world.twin.account;
  for (const zone of domains) {
    zone.records = zone.records.filter(({ name }) => !deleted.includes(name));
    for (const record of zone.records) Object.assign(record, records[record.name]);
  }
  for (const name of deleted) {
    const index = projects.findIndex((project) => project.name === name);
    if (index >= 0) projects.splice(index, 1);
  }
  const projectOf = (name: string) => projects.find((project) => project.name === name)!;
  for (const [name, changed] of Object.entries(fields)) Object.assign(projectOf(name), changed);
  for (const [id, value] of Object.entries(values)) {
    const [name, key] = id.split(' ');
    for (const variable of projectOf(name!).env) if (variable.key === key) variable.value = value;
  }
}

/** The lines of files that only the texts before have, and those that only the texts afterwards have. */
function linesChanged(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = Object.keys(before).reverse();
  return names.flatMap((name) => {
    const [old, now] = [before[name]!.split('\n'), after[name]!.split('\n')];
    const gone = old.filter((line) => !now.includes(line)).map((line) => `- ${line}`);
    const added = now.filter(
      (line, at) => !old.includes(line) || (line === '' && now[at + 1] === 'patches:'),
    );
    return [...gone, ...added.map((line) => `+ ${line}`)];
  });
}
