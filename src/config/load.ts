import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, hasErrors, problem } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';
import { assemble } from './blocks/assemble.ts';
import { collectBlocks } from './blocks/collect-blocks.ts';
import { readBlocks } from './blocks/read-blocks.ts';
import { readPictures } from './fields/read-pictures.ts';
import { type FoundFile, findFile } from './find-files.ts';
import { readAllow, readPlatform, readStack, splitDocuments, stackLine } from './read-header.ts';
import { danglingNames, findCycles } from './references/find-target.ts';
import { openSources, type Sources } from './sources/sources.ts';
import { type Asked, notAllowed, originText } from './sources/verdict.ts';
import { sortDiagnostics } from './suggest.ts';
import { expander } from './expressions/expand.ts';
import { readSecrets, type SecretSource, secretEnvs, shownSecrets } from './values/secrets.ts';
import { type Given, readVariables } from './values/variables.ts';
import { type MapNode, type Node, sizeOf } from './yaml/nodes.ts';
import { filesOf, readDocuments } from './yaml/read-documents.ts';
import type { Source } from './yaml/source.ts';

export interface LoadOptions {
  kinds: Kinds;
  cwd: string;
  /** Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  paths?: string[];
  /** The configuration itself, in place of files. */
  text?: string;
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  env: Record<string, string | undefined>;
  /** Decides what may be read. By default only what is free, and no file. */
  sources?: Sources;
  /** Reads standard input, for the path `-`. */
  readInput?(): Promise<Buffer>;
}

/** The configuration as the YAML says it. Usable only if `diagnostics` holds no error. */
export interface Configuration {
  desired: Desired;
  /** Paths of the files that it was read from, without variable files. */
  files: string[];
  /** A guess at the name of a stack that could not be read: only to say whose problems these are. */
  seemingStack?: string;
  platform?: Scope;
  /** Those that `secrets:` declares; nothing of them is read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. */
  usedSecrets: Set<string>;
  /** The environment variables that variables name, as `env NAME`. */
  variableOrigins: Map<string, string>;
  /** The name of the stack as it is written: by it is remembered what was allowed. */
  writtenStack: string;
  /** Errors for all that variables and fields may not read here, or cannot; what depends on them is not known. `validate` takes them for notes. */
  notAllowed: Diagnostic[];
  /** Every other problem, by place. */
  diagnostics: Diagnostic[];
}

const maxValues = 2_000_000;

/** Reads the configuration. Whatever is wrong with it is in `diagnostics`; nothing that a user does wrong throws. */
export async function load(options: LoadOptions): Promise<Configuration> {
  const { kinds, cwd, vars = {}, varFiles = [], env, sources: mayRead = openSources({ env, cwd }) } = options;
  const { files, inputs, folders, diagnostics } = await filesOf(options);
  const sources: Source[] = [];

  const documents: MapNode[] = [];
  let isIncomplete = hasErrors(diagnostics);
  for (const file of files) {
    const found = await readDocuments(file, sources, diagnostics);
    if (found) documents.push(...found);
    else isIncomplete = true;
  }
  const configured = [...sources];
  const given = await readVarFiles(cwd, varFiles, sources, diagnostics);
  if (given.includes(undefined)) isIncomplete = true;

  const { header, written, rootSections } = splitDocuments(documents, kinds, diagnostics);
  const stackEntry = header.get('stack');
  const writtenStack = stackEntry?.value.type === 'scalar' ? stackEntry.value.text : '';
  const { refused, ...variables } = await readAllowed(header.get('variables')?.value, {
    given: {
      vars,
      files: given.flatMap((found) => found ?? []),
      env,
      secretEnvs: secretEnvs(header.get('secrets')?.value),
    },
    sources: mayRead,
    writtenStack,
  });
  // A file that was not read may declare what seems to be missing.
  if (isIncomplete)
    variables.diagnostics = variables.diagnostics.filter(({ code }) => code !== 'var/undeclared');
  diagnostics.push(...variables.diagnostics);
  const scope = { variables: variables.variables, sections: rootSections, incomplete: isIncomplete };
  const expandVariables = expander(scope, diagnostics);
  const secrets = header.has('secrets')
    ? readSecrets(header.get('secrets')!.value, expandVariables)
    : { secrets: new Map<string, SecretSource>(), diagnostics: [], names: new Set<string>() };
  diagnostics.push(...secrets.diagnostics);
  diagnostics.push(...shownSecrets(variables.origins, secrets.secrets));
  const stack = stackEntry && readStack(stackEntry, expandVariables, diagnostics);
  const platformEntry = header.get('platform');
  const platform = platformEntry && readPlatform(platformEntry, expandVariables, diagnostics);
  const allowEntry = header.get('$allow');
  const allow = allowEntry && readAllow(allowEntry, expandVariables, diagnostics);
  if (!stackEntry && !isIncomplete) diagnostics.push(nameless(files[0]));

  const expand = expander({ ...scope, secrets: secrets.names }, diagnostics);
  const sections = written.map((section) => ({ ...section, section: expand(section.section) }));
  if (isTooLarge(sections.map(({ section }) => section))) {
    diagnostics.push(
      problem('config/too-large', `the configuration stands for more than ${maxValues} values`),
    );
    sections.length = 0;
  }
  const collected = collectBlocks(kinds, sections, diagnostics);
  const readAll = readBlocks(kinds, collected, isIncomplete);
  const resources = assemble(readAll, kinds, diagnostics);
  const all = [
    diagnostics,
    ...readAll.map((block) => block.diagnostics),
    isIncomplete ? [] : danglingNames(readAll, collected.uncertain, kinds),
    findCycles(readAll, resources),
  ].flat();

  const pictures = await readPictures(resources, { kinds, files, sources: mayRead, stack: writtenStack });

  const used = [...resources.values()].flatMap(({ fields }) => holesIn(fields)).filter(isSecretRef);
  for (const source of sources) source.quote();
  const seemingStack = stackEntry ? undefined : stackLine(configured);
  return {
    desired: {
      stack: stack ?? '',
      ...(allow ? { allow } : {}),
      resources,
      ...pictures.read,
      inputs,
      folders,
    },
    files: files.map(({ path }) => path),
    ...(seemingStack === undefined ? {} : { seemingStack }),
    ...(platform ? { platform } : {}),
    secrets: secrets.secrets,
    usedSecrets: new Set(used.map(({ $secret }) => $secret)),
    variableOrigins: new Map(variables.origins.map(({ name, origin }) => [name, originText(origin)])),
    writtenStack,
    notAllowed: [...refused, ...pictures.refused],
    diagnostics: sortDiagnostics(all),
  };
}

const nameless = (first: FoundFile | undefined): Diagnostic =>
  problem('config/stack', 'the stack has no name', {
    at: first ? { file: first.name, line: 1, column: 1 } : undefined,
    hint: 'stack: name',
  });

function isTooLarge(nodes: Node[]): boolean {
  const sizes = new Map();
  return nodes.reduce((sum, node) => sum + sizeOf(node, sizes), 0) > maxValues;
}

/** Reads the files of `--var-file`: the documents of each, undefined for one that cannot be read. */
async function readVarFiles(
  cwd: string,
  files: string[],
  sources: Source[],
  diagnostics: Diagnostic[],
): Promise<(MapNode[] | undefined)[]> {
  const read: (MapNode[] | undefined)[] = [];
  for (const file of files) {
    const place = await findFile(cwd, file);
    if ('code' in place) diagnostics.push(place);
    read.push('code' in place ? undefined : await readDocuments(place, sources, diagnostics));
  }
  return read;
}

/** The variables, of which those that may not be read have no value; they are read once it is known which. */
async function readAllowed(
  section: Node | undefined,
  { given, sources, writtenStack }: { given: Omit<Given, 'mayRead'>; sources: Sources; writtenStack: string },
): Promise<ReturnType<typeof readVariables> & { refused: Diagnostic[] }> {
  const wanted: Asked[] = [];
  const read = (mayRead: Given['mayRead']) => readVariables(section, { ...given, mayRead });
  const first = read((asked) => wanted.push(asked) < 0);
  if (wanted.length === 0) return { ...first, refused: [] };
  const verdicts = await sources.judge(wanted, writtenStack);
  const mayRead = new Set(wanted.flatMap(({ name }, at) => (verdicts[at]!.allowed ? [name] : [])));
  const refused = wanted.flatMap((asked, at) => notAllowed(asked, verdicts[at]!) ?? []);
  return { ...read(({ name }) => mayRead.has(name)), refused };
}
