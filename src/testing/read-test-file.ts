/*
 * Reads test files (`test-file.ts` explains them). The schema checks the form of a file. Everything else that can be wrong is checked here:
 * keys that belong elsewhere, names that appear twice, and expectations that a test cannot have.
 */
import path from 'node:path';
import type * as z from 'zod';
import { fieldProblemsOfIssue } from '../config/fields/field-problems-of-issue.ts';
import type { FoundFile } from '../config/find-files.ts';
import { plainValueOf } from '../config/layers/layer.ts';
import { hintFor, quoted } from '../config/suggest.ts';
import {
  entriesOf,
  itemsOf,
  itemsOrSelf,
  type MapNode,
  maskNode,
  maskUnread,
  memberOf,
  type Node,
  textOf,
} from '../config/yaml/nodes.ts';
import { readDocuments } from '../config/yaml/read-documents.ts';
import type { Source } from '../config/yaml/source.ts';
import type { Host } from '../host.ts';
import { hasErrors, type Reporter } from '../model/diagnostic.ts';
import type { ExpectedPlace } from './assertions/assertion.ts';
import { assertionKinds, createAssertions } from './assertions/expectation.ts';
import { locate } from './locate.ts';
import { topOf } from './named-files.ts';
import { readSetup } from './read-setup.ts';
import { setupKey, type Test, type TestFile, testFileSchema } from './test-file.ts';

/** The code of most mistakes in a test file. */
const formCode = 'test/form';

/** A test as the schema has read it. */
type WrittenTest = z.infer<typeof testFileSchema>['tests'][number];

/**
 * Reads a test file for `trueup test`, with the file that it names as `seed`. Reports its mistakes, and returns undefined after an error.
 * `sections`: the names of the sections that a patch (the changes that a test makes to the configuration) may have.
 *
 * Adds the file to `sources`, so that messages can quote its lines. The caller quotes them at the end (`Source.quote`), because tests that
 * run can still find out which parts of the file are secrets.
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
  const root = await readRoot(file, sections, sources, report);
  if (!root) return undefined;
  maskStatedSecrets(root);
  const written = plainValueOf(root) as Record<string, unknown>;
  const parsed = testFileSchema.safeParse(written);
  for (const issue of parsed.error?.issues ?? []) reportIssue(issue, { written, root, report });
  refuseRepeatedNames(root, report);
  checkPatches(root, sections, report);
  const folder = path.dirname(file.path);
  const namingFile = { folder, top: await topOf(folder, host.cwd), host };
  const setup = await readSetup(root, namingFile, report);
  const tests = parsed.success
    ? parsed.data.tests.map((test, index) => readTest(test, index, root, report))
    : [];
  // Without a setup there was an error.
  if (!setup || hasErrors(report.diagnostics.slice(errorsBefore))) return undefined;
  return { name: file.name, source: root.at.source, setup, tests };
}

/**
 * Parses a test file, adds it to `sources`, and returns its only document. Undefined after it reported that the file cannot be read, has no
 * tests, or is a configuration: then one message says more than many about its keys.
 */
async function readRoot(
  file: FoundFile,
  sections: readonly string[],
  sources: Source[],
  report: Reporter,
): Promise<MapNode | undefined> {
  const errorsBefore = report.diagnostics.length;
  const documents = await readDocuments(file, sources, report, { example: testFileExample });
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
  return root;
}

const testFileExample = 'tests: [{ name: nothing to do, expect: no changes }]';

/** True if a file has keys of a configuration, and none of a test file. Then one message says more than one for each key. */
const isConfiguration = (root: MapNode, sections: readonly string[]): boolean =>
  root.entries.every(({ key }) => key.text !== setupKey && key.text !== 'tests') &&
  root.entries.some(({ key }) => key.text === 'stack' || sections.includes(key.text));

/** Hides the values under `given: { secrets: ... }` in quoted lines. Secrets in patches are hidden when the configuration is read. */
function maskStatedSecrets(root: MapNode): void {
  const secrets = memberOf(memberOf(root, setupKey), 'secrets');
  if (secrets) maskNode(secrets);
}

/**
 * Reports an issue that the schema has found in a test file at its place, in our own words, because those of zod may quote a value that is
 * a secret. `written`: the values of the file. `root`: their nodes, with the places.
 */
function reportIssue(
  issue: z.core.$ZodIssue,
  { written, root, report }: { written: Record<string, unknown>; root: MapNode; report: Reporter },
): void {
  const { shape } = testFileSchema;
  const [name, ...inner] = issue.path;
  if (name === undefined) {
    // The file is a map (`readRoot`), so only its keys can be wrong.
    const unknownKeys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    for (const key of unknownKeys)
      report.error(formCode, `a test file has no ${quoted(key)}`, {
        at: locate(root, [key]).keySpot,
        hint: hintFor(key, Object.keys(shape)),
      });
    return;
  }
  const subject = {
    name: String(name),
    schema: shape[name as keyof typeof shape],
    raw: written[String(name)],
  };
  for (const problem of fieldProblemsOfIssue({ ...issue, path: inner } as typeof issue, subject)) {
    const { spot, keySpot } = locate(root, problem.path);
    // A key that a schema of keys rejects has no `onKey`, but the path of that problem ends with the key.
    const isAboutKey = problem.onKey === true || problem.message === 'this key is not allowed';
    report.error(formCode, problem.message, { at: isAboutKey ? keySpot : spot, hint: problem.hint });
  }
}

/** Reports two tests with one name in a test file of `trueup test`, because a report names a test by it. */
function refuseRepeatedNames(root: MapNode, report: Reporter): void {
  const firstByName = new Map<string, Node>();
  for (const test of itemsOf(memberOf(root, 'tests'))) {
    const node = memberOf(test, 'name');
    const name = node && textOf(node);
    if (name === undefined) continue;
    const earlier = firstByName.get(name);
    if (earlier)
      report.error('test/same-name', `two tests have the name ${quoted(name)}`, {
        at: node!,
        hint: 'give each test of a file its own name',
        related: [{ message: 'the first one', at: earlier }],
      });
    else firstByName.set(name, node!);
  }
}

/** The keys of a patch that are no sections. */
const patchKeys = ['$at', '$drop'];
/** Where keys of a configuration belong in a test file if they stand in a patch, as hints. */
const hintsForMisplacedKeys: Record<string, string> = {
  variables: 'write values of variables under `given`',
  secrets: 'write made-up values of secrets under `given`',
  patches: 'write the list itself: `patch: [{ $at: projects/web, framework: nextjs }]`',
};

/**
 * Reports keys of patches (changes that a test makes to the configuration) that are no sections. The error of the configuration would not
 * name the test file.
 */
function checkPatches(root: MapNode, sections: readonly string[], report: Reporter): void {
  for (const test of itemsOf(memberOf(root, 'tests')))
    for (const { key, value } of entriesOf(memberOf(test, 'patch'))) {
      if (sections.includes(key.text) || patchKeys.includes(key.text)) continue;
      // Nothing says whether the value is a secret, so messages must not quote it.
      maskUnread(value);
      report.error(formCode, `${quoted(key.text)} is not a section`, {
        at: key,
        hint: hintsForMisplacedKeys[key.text] ?? hintFor(key.text, [...sections, '$drop']),
      });
    }
}

/**
 * Reads one test of a test file, for `trueup test`, and reports expectations that it cannot have or that check nothing. `written`: the
 * test, which the schema has accepted. `index`: its index in the file.
 */
function readTest(written: WrittenTest, index: number, root: MapNode, report: Reporter): Test {
  const { name, apply = false, expect } = written;
  const test = { ...written, apply };
  const locateInTest: LocateInTest = (...path) => locate(root, ['tests', index, ...path]);
  const expectedPlace: ExpectedPlace = {
    spotAt: (...path) => locateInTest('expect', ...path).spot,
    spotOfKey: (...path) => locateInTest('expect', ...path).keySpot,
    nodeAt: (...path) => locateInTest('expect', ...path).node,
  };
  refuseEmptyExpectations(expect, expectedPlace, report);
  refuseUnfitExpectations(test, locateInTest, report);
  const patch = memberOf(itemsOf(memberOf(root, 'tests'))[index], 'patch');
  const { error = [] } = membersOf(expect) as { error?: string | string[] };
  return {
    name,
    spot: locateInTest('name').spot,
    patches: itemsOrSelf(patch),
    apply,
    assertions: createAssertions(expect, expectedPlace, test),
    expectedErrors: [error].flat(),
  };
}

/** Returns where a member of a test is in its file. */
type LocateInTest = (...path: (string | number)[]) => ReturnType<typeof locate>;

/** Returns the members of `expect` of a test; none for a word such as `no changes`. */
const membersOf = (expect: WrittenTest['expect']): Record<string, unknown> =>
  typeof expect === 'string' ? {} : expect;

/** Reports expectations of a test that need another member of it, such as `request`, and members that no expectation is about. */
function refuseUnfitExpectations(
  test: WrittenTest & { apply: boolean },
  locateInTest: LocateInTest,
  report: Reporter,
): void {
  const expectations = Object.keys(membersOf(test.expect));
  for (const key of expectations) {
    const need = assertionKinds[key]?.needs?.(test);
    if (need !== undefined)
      report.error(formCode, `${quoted(key)} needs ${need}`, { at: locateInTest('expect', key).keySpot });
  }
  for (const subject of findUnusedSubjects(test, expectations))
    report.error(formCode, `no member of \`expect\` is about ${quoted(subject)}`, {
      at: locateInTest(subject).keySpot,
      hint: `add ${subject === 'dns' ? '`answer`' : '`verdict`'} to \`expect\`, or remove ${quoted(subject)}`,
    });
}

/** Reports an empty `expect` of a test, and empty maps and lists in it, because no plan could fail them: the test would prove nothing. */
function refuseEmptyExpectations(
  expect: WrittenTest['expect'],
  place: ExpectedPlace,
  report: Reporter,
): void {
  for (const [key, value] of [['expect', expect] as const, ...Object.entries(membersOf(expect))])
    if (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
      report.error('test/nothing', `${quoted(key)} is empty: a test that expects nothing proves nothing`, {
        at: key === 'expect' ? place.spotAt() : place.spotOfKey(key),
        hint: 'expect: { delete: 0 }, or expect: no changes',
      });
}

/**
 * Returns the subjects of a test, `request` and `dns`, that none of its expectations is about, because such a test checks less than it
 * seems to. An expectation is about a subject if it could not stand in the test without the subject.
 */
const findUnusedSubjects = (
  test: WrittenTest & { apply: boolean },
  expectations: readonly string[],
): ('request' | 'dns')[] =>
  (['request', 'dns'] as const).filter((subject) => {
    const testWithoutSubject = { ...test, [subject]: undefined };
    const isAboutSubject = (key: string) => {
      // What the expectation lacks in a test; undefined if it lacks nothing.
      const missingIn = (context: typeof test) => assertionKinds[key]?.needs?.(context);
      return missingIn(test) === undefined && missingIn(testWithoutSubject) !== undefined;
    };
    return test[subject] !== undefined && !expectations.some(isAboutSubject);
  });
