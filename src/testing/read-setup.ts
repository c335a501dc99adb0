/*
 * Reads `given` of a test file: the configuration and the account that all its tests start from.
 */
import path from 'node:path';
import { findDefaultPaths } from '../config/find-files.ts';
import { quoted } from '../config/suggest.ts';
import { entriesOf, itemsOrSelf, type MapNode, memberOf, type Node, textOf } from '../config/yaml/nodes.ts';
import { readBytes } from '../config/yaml/read-documents.ts';
import type { Reporter } from '../model/diagnostic.ts';
import { tryParseJson } from '../model/read-json.ts';
import { Sealed } from '../model/sealed.ts';
import { findNamed, type NamingFile } from './named-files.ts';
import { setupKey, type TestSetup } from './test-file.ts';

/**
 * Reads `given` of a test file, the start of all its tests: the configuration, what the account has (`seed`), the stage, variables and
 * secrets. `root`: the whole test file. Returns undefined after a report, for example about a file that does not exist.
 */
export async function readSetup(
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
  const configuration = await findTestedConfiguration(memberOf(node, 'file'), root, namingFile, report);
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
 * Returns the paths of the configuration that a test file is about: those under `file`, or else the default configuration in the folder of
 * the test file or in the nearest folder above, up to the top of the repository. Returns undefined after a report. `node`: the value of
 * `file`.
 */
async function findTestedConfiguration(
  node: Node | undefined,
  root: MapNode,
  namingFile: NamingFile,
  report: Reporter,
): Promise<string[] | undefined> {
  const nodes = itemsOrSelf(node);
  if (nodes.length > 0) {
    const files = await Promise.all(nodes.map((item) => findNamed(item, namingFile, report)));
    return files.every((file) => file !== undefined) ? files : undefined;
  }
  const defaultPath = findNearestConfiguration(namingFile);
  if (defaultPath !== undefined) return [defaultPath];
  return report.error(
    'test/no-configuration',
    'there is no trueup.yaml or trueup/ beside this file or above it',
    {
      at: root,
      hint: 'name the configuration: `given: { file: dns.yaml }`, relative to this file',
    },
  );
}

/**
 * Returns the path of the default configuration in the folder of a test file or the nearest folder above it, up to `top`; undefined if
 * there is none.
 */
function findNearestConfiguration({ folder, top }: Pick<NamingFile, 'folder' | 'top'>): string | undefined {
  const [defaultPath] = findDefaultPaths(folder);
  if (defaultPath !== undefined) return path.join(folder, defaultPath);
  const parent = path.dirname(folder);
  return folder === top || folder === parent ? undefined : findNearestConfiguration({ folder: parent, top });
}

const isTrue = (node: Node | undefined): boolean => node?.type === 'scalar' && node.value === true;

/**
 * Reads the file that `seed` of a test names as JSON: the objects that the account of the tests has at the start. Returns undefined after a
 * report. Only the twin (the simulated account) checks the objects in it.
 */
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
