import path from 'node:path';
import type * as z from 'zod';
import { fieldProblemsOfIssue } from '../config/fields/field-problems-of-issue.ts';
import { type FoundFile, findDefaultPaths } from '../config/find-files.ts';
import { plainValueOf } from '../config/layers/layer.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import {
  entriesOf,
  itemsOf,
  type MapNode,
  maskNode,
  maskUnread,
  memberOf,
  type Node,
  textOf,
} from '../config/yaml/nodes.ts';
import { readBytes, readDocuments } from '../config/yaml/read-documents.ts';
import type { Source } from '../config/yaml/source.ts';
import type { Host } from '../host.ts';
import { hasErrors, type Reporter } from '../model/diagnostic.ts';
import { tryParseJson } from '../model/read-json.ts';
import { Sealed } from '../model/sealed.ts';
import { assertionKinds, createAssertions } from './assertions/expectation.ts';
import { locate } from './locate.ts';
import { findNamed, type NamingFile, topOf } from './named-files.ts';
import { setupKey, type Test, type TestFile, type TestSetup, testFileSchema } from './test-file.ts';

/** The code of most mistakes in a test file. */
const formCode = 'test/form';

type RawTest = z.infer<typeof testFileSchema>['tests'][number];

/**
 * Reads a test file for `trueup test`, with its seed. Reports its mistakes, and returns undefined after an error. The lines of the
 * file are not quoted yet: tests may still find secrets in it, so the caller quotes them at the end (`Source.quote`). `sections`: the names of the
 * sections that a patch may have. `sources`: gets the text of the file.
 */
export async function readTestFile(
  file: FoundFile,
  {
    host,
    sections,
    sources,
  }: { host: Pick<Host, 'cwd' | 'env'>; sections: readonly string[]; sources: Source[] },
  report: Reporter,
): Promise<TestFile | undefined> {
  const errorsBefore = report.diagnostics.length;
  const documents = await readDocuments(file, sources, report, { example: testFileExample });
  const source = sources.at(-1)!;
  if (!documents) return undefined;
  const [root, second] = documents;
  if (second) report.error(formCode, 'a test file can have only one document', { at: second });
  if (!root) {
    if (hasErrors(report.diagnostics.slice(errorsBefore))) return undefined;
    return report.error(formCode, `${file.name} has no tests`, { hint: testFileExample });
  }
  if (isConfiguration(root, sections))
    return report.error(formCode, `${file.name} is a configuration, not a test file`, {
      at: root,
      hint: 'name a file that ends in `.test.yaml`; it names its configuration itself',
    });
  maskStatedValues(root);
  const raw = plainValueOf(root) as Record<string, unknown>;
  const result = testFileSchema.safeParse(raw);
  for (const issue of result.error?.issues ?? []) reportIssue(issue, { raw, root, report });
  refuseRepeatedNames(root, report);
  checkPatches(root, sections, report);
  const folder = path.dirname(file.path);
  const namingFile = { folder, top: await topOf(folder, host.cwd), host };
  const setup = await readSetup(root, namingFile, report);
  const tests = result.success
    ? result.data.tests.map((test, index) => readTest(test, index, root, report))
    : [];
  if (hasErrors(report.diagnostics.slice(errorsBefore))) return undefined;
  return { name: file.name, source, setup: setup!, tests };
}

const testFileExample = 'tests: [{ name: nothing to do, expect: no changes }]';

/** True if a file has keys of a configuration, and none of a test file. Then one message says more than one for each key. */
const isConfiguration = (root: MapNode, sections: readonly string[]): boolean =>
  root.entries.every(({ key }) => key.text !== setupKey && key.text !== 'tests') &&
  root.entries.some(({ key }) => key.text === 'stack' || sections.includes(key.text));

/** Hides the stated secrets of a test file in quoted lines. Secrets in patches are hidden when the configuration is read. */
function maskStatedValues(root: MapNode): void {
  const secrets = memberOf(memberOf(root, setupKey), 'secrets');
  if (secrets) maskNode(secrets);
}

/** Reports an issue of the schema at its place, in our own words, because those of zod may quote a value. */
function reportIssue(
  issue: z.core.$ZodIssue,
  { raw, root, report }: { raw: Record<string, unknown>; root: MapNode; report: Reporter },
): void {
  const { shape } = testFileSchema;
  const [name, ...inner] = issue.path;
  if (name === undefined) {
    for (const key of issue.code === 'unrecognized_keys' ? issue.keys : [])
      report.error(formCode, `a test file has no ${quoted(key)}`, {
        at: locate(root, [key]).keySpot,
        hint: hintFor(key, Object.keys(shape)),
      });
    return;
  }
  const subject = { name: String(name), schema: shape[name as 'tests'], raw: raw[String(name)] };
  for (const problem of fieldProblemsOfIssue({ ...issue, path: inner } as typeof issue, subject)) {
    const { spot, keySpot } = locate(root, problem.path);
    const isAboutKey = problem.onKey === true || problem.message === 'this key is not allowed';
    report.error(formCode, problem.message, { at: isAboutKey ? keySpot : spot, hint: problem.hint });
  }
}

/** Reports two tests with one name, because a report names a test by it. */
function refuseRepeatedNames(root: MapNode, report: Reporter): void {
  const first = new Map<string, Node>();
  for (const test of itemsOf(memberOf(root, 'tests'))) {
    const node = memberOf(test, 'name');
    const name = node && textOf(node);
    if (name === undefined) continue;
    const earlier = first.get(name);
    if (earlier)
      report.error('test/same-name', `two tests have the name ${quoted(name)}`, {
        at: node!,
        hint: 'give each test of a file its own name',
        related: [{ message: 'the first one', at: earlier }],
      });
    else first.set(name, node!);
  }
}

/** Keys of a patch that are no sections. */
const patchKeys = ['$at', '$drop'];
/** Keys of a configuration that belong elsewhere in a test file. */
const misplaced: Record<string, string> = {
  variables: 'write values of variables under `given`',
  secrets: 'write made-up values of secrets under `given`',
  patches: 'write the list itself: `patch: [{ $at: projects/web, framework: nextjs }]`',
};

/** Reports keys of patches that are no sections, because the error of the configuration would not name the test file. */
function checkPatches(root: MapNode, sections: readonly string[], report: Reporter): void {
  for (const test of itemsOf(memberOf(root, 'tests')))
    for (const { key, value } of entriesOf(memberOf(test, 'patch'))) {
      if (sections.includes(key.text) || patchKeys.includes(key.text)) continue;
      maskUnread(value);
      report.error(formCode, `${quoted(key.text)} is not a section`, {
        at: key,
        hint: misplaced[key.text] ?? hintFor(key.text, [...sections, '$drop']),
      });
    }
}

/** Reads one test, and reports expectations that it cannot have. */
function readTest(test: RawTest, index: number, root: MapNode, report: Reporter): Test {
  const { name, apply = false, expect } = test;
  const expectedPlace = {
    spotAt: (...path: (string | number)[]) => locate(root, ['tests', index, 'expect', ...path]).spot,
    spotOfKey: (...path: (string | number)[]) => locate(root, ['tests', index, 'expect', ...path]).keySpot,
    nodeAt: (...path: (string | number)[]) => locate(root, ['tests', index, 'expect', ...path]).node,
  };
  const members = typeof expect === 'string' ? {} : expect;
  for (const [key, value] of [['expect', expect] as const, ...Object.entries(members)])
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
      report.error('test/nothing', `${quoted(key)} is empty: a test that expects nothing proves nothing`, {
        at: key === 'expect' ? expectedPlace.spotAt() : expectedPlace.spotOfKey(key),
        hint: 'expect: { delete: 0 }, or expect: no changes',
      });
  for (const key of Object.keys(members)) {
    const need = assertionKinds[key]?.needs?.({ ...test, apply });
    if (need !== undefined)
      report.error(formCode, `${quoted(key)} needs ${need}`, { at: expectedPlace.spotOfKey(key) });
  }
  for (const subject of findUnusedSubjects({ ...test, apply }, Object.keys(members)))
    report.error(formCode, `no member of \`expect\` is about ${quoted(subject)}`, {
      at: locate(root, ['tests', index, subject]).keySpot,
      hint: `add ${subject === 'dns' ? '`answer`' : '`verdict`'} to \`expect\`, or remove ${quoted(subject)}`,
    });
  const testNode = itemsOf(memberOf(root, 'tests'))[index];
  const patch = memberOf(testNode, 'patch');
  const { error } = members as { error?: string | string[] };
  return {
    name,
    spot: locate(root, ['tests', index, 'name']).spot,
    patches: patch?.type === 'list' ? patch.items : patch ? [patch] : [],
    apply,
    assertions: createAssertions(expect, expectedPlace, { ...test, apply }),
    expectedErrors: error === undefined ? [] : [error].flat(),
  };
}

/** Returns the subjects of a test, `request` and `dns`, that none of its expectations needs, because such a test checks less than it seems to. */
const findUnusedSubjects = (
  test: RawTest & { apply: boolean },
  expectations: readonly string[],
): ('request' | 'dns')[] =>
  (['request', 'dns'] as const).filter(
    (subject) =>
      test[subject] !== undefined &&
      !expectations.some((key) => {
        const { needs } = assertionKinds[key] ?? {};
        return needs?.(test) === undefined && needs?.({ ...test, [subject]: undefined }) !== undefined;
      }),
  );

/** Reads `given`, the start of all tests. Returns undefined after a report, for example about a file that does not exist. */
async function readSetup(
  root: MapNode,
  namingFile: NamingFile,
  report: Reporter,
): Promise<TestSetup | undefined> {
  const node = memberOf(root, setupKey);
  const variables = memberOf(node, 'variables');
  const stage = memberOf(node, 'stage');
  const secrets = entriesOf(memberOf(node, 'secrets')).flatMap(({ key, value }) => {
    const text = textOf(value);
    return text === undefined
      ? []
      : [[key.text, { value: new Sealed(text, key.text), spot: key.at }] as const];
  });
  const seed = memberOf(node, 'seed');
  const configuration = await findConfiguration(memberOf(node, 'file'), root, namingFile, report);
  const seedContent = seed && (await readSeed(seed, namingFile, report));
  if (!configuration) return undefined;
  return {
    configuration,
    seed: seedContent,
    isApplied: isTrue(memberOf(node, 'applied')),
    stage: stage && textOf(stage),
    variables: variables?.type === 'map' ? variables : undefined,
    secrets: new Map(secrets),
    spots: { seed: seed?.at, stage: stage?.at },
  };
}

/**
 * Returns the paths of the configuration that a file tests: those of `file`, or else the default configuration of its folder, or of the nearest folder
 * above in the repository. Returns undefined after a report.
 */
async function findConfiguration(
  node: Node | undefined,
  root: MapNode,
  namingFile: NamingFile,
  report: Reporter,
): Promise<string[] | undefined> {
  const nodes = node?.type === 'list' ? node.items : node ? [node] : [];
  if (nodes.length > 0) {
    const files = await Promise.all(nodes.map((item) => findNamed(item, namingFile, report)));
    return files.every((file) => file !== undefined) ? files : undefined;
  }
  const { folder, top } = namingFile;
  for (let current = folder; ; current = path.dirname(current)) {
    const [defaultPath] = findDefaultPaths(current);
    if (defaultPath !== undefined) return [path.join(current, defaultPath)];
    if (current === top || current === path.dirname(current)) break;
  }
  return report.error(
    'test/no-configuration',
    'there is no trueup.yaml or trueup/ beside this file or above it',
    {
      at: root,
      hint: 'name the configuration: `given: { file: dns.yaml }`, relative to this file',
    },
  );
}

const isTrue = (node: Node | undefined): boolean => node?.type === 'scalar' && node.value === true;

/** Reads the file of a seed as JSON. Returns undefined after a report. The twin checks the content. */
async function readSeed(node: Node, namingFile: NamingFile, report: Reporter): Promise<unknown> {
  const file = await findNamed(node, namingFile, report);
  if (file === undefined) return undefined;
  const bytes = await readBytes({ path: file, name: textOf(node)! });
  if (!Buffer.isBuffer(bytes)) return report.add({ ...bytes, at: node.at.source.position(node.at.start) });
  const seed = tryParseJson(bytes.toString('utf8'));
  if (seed === undefined || seed === null || typeof seed !== 'object')
    return report.error('test/seed', `the seed ${quoted(textOf(node)!)} is not a JSON object`, {
      at: node,
      hint: 'it has the format of `trueup twin --seed`, or of a file that `trueup twin --state` saved',
    });
  return seed;
}
