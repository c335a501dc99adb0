import type { DayTwo } from '../kind/action.ts';
import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Desired } from '../model/resource.ts';
import { holesIn, isSecretRef } from '../model/value.ts';
import { assemble } from './blocks/assemble.ts';
import type { ReadBlock } from './blocks/block.ts';
import { type Collected, collectBlocks } from './blocks/collect-blocks.ts';
import { fieldPlaces } from './blocks/field-places.ts';
import { readBlocks } from './blocks/read-blocks.ts';
import type { Section } from './blocks/section-entries.ts';
import { type Expand, expander } from './expressions/expand.ts';
import type { Globals } from './expressions/scope.ts';
import { outsideOf, readOwns } from './fence.ts';
import { readPictures } from './fields/read-pictures.ts';
import { filesBehind } from './files-behind.ts';
import type { FoundFile } from './find-files.ts';
import { lay, type Written } from './layers/lay.ts';
import { spreadNames } from './layers/spread-names.ts';
import { readTemplates } from './layers/templates.ts';
import { oncePerPlace } from './once-per-place.ts';
import { type ReadFiles, readFiles } from './read-files.ts';
import { itemsOf, readAllow, readPlatform, readStack, splitDocuments, stackLine } from './read-header.ts';
import { danglingNames, findCycles } from './references/find-target.ts';
import type { Rendered } from './render/render.ts';
import { openSources, type Sources } from './sources/sources.ts';
import { type Asked, originText } from './sources/verdict.ts';
import { sortDiagnostics } from './suggest.ts';
import { readAllowed, readVarFiles, variablesOf } from './values/allowed-variables.ts';
import { type DeclaredLookups, readLookups } from './values/lookups.ts';
import { readSecrets, type SecretSource, secretEnvs, shownSecrets } from './values/secrets.ts';
import type { Variables } from './values/variables.ts';
import { type Entry, entryOf, type Node, sizeOf } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

export interface LoadOptions {
  kinds: Kinds;
  /** The actions that `$then` may name. Without it `$then` is left aside: a configuration that is only read is not applied. */
  dayTwo?(): Promise<DayTwo>;
  cwd: string;
  /** Files and folders, from `-f`. Default: `trueup.yaml`, `trueup.yml` or the folder `trueup`. */
  paths?: string[];
  /** The configuration itself, in place of files. */
  text?: string;
  /** From `--var`. */
  vars?: Record<string, string>;
  /** From `--var-file`, in order: the last one decides. */
  varFiles?: string[];
  /** From `--stage`. */
  stage?: string;
  /** From the workspace: what may be declared, as globs of addresses. */
  owns?: readonly string[] | undefined;
  env: Record<string, string | undefined>;
  /** Decides what may be read. By default only what is free, and no file. */
  sources?: Sources;
  /** Reads standard input, for the path `-`. */
  readInput?(): Promise<Buffer>;
  /** The texts of files, by real path, in place of what is on disk. */
  texts?: ReadonlyMap<string, string>;
}

/** The configuration as the YAML says it. Usable only if `diagnostics` holds no error. */
export interface Configuration {
  desired: Desired;
  /** Paths of the files that it was read from, without variable files. */
  files: string[];
  /** All files that it was read from or names: data, variables, secrets and pictures too. Absolute paths; some may be missing. */
  behind: string[];
  /** The names of its stages. */
  stages: string[];
  /** A guess at the name of a stack that could not be read: only to say whose problems these are. */
  seemingStack?: string;
  platform?: Scope;
  /** Those that `secrets:` declares; nothing of them is read yet. */
  secrets: Map<string, SecretSource>;
  /** Names of the secrets that some resource uses. */
  usedSecrets: Set<string>;
  /** The variables that nobody has given a value. */
  missingVariables: string[];
  /** The environment variables that variables name, as `env NAME`. */
  variableOrigins: Map<string, string>;
  /** The name of the stack as it is written: by it is remembered what was allowed. */
  writtenStack: string;
  /** Errors for all that variables and fields may not read here, or cannot; what depends on them is not known. `validate` takes them for notes. */
  notAllowed: Diagnostic[];
  /** The configuration once templates and patches are worked in. */
  rendered(): Rendered;
  /** The text: its files and data files, and its blocks with the places of their values. */
  written(): WrittenDown;
  /** Every other problem, by place. */
  diagnostics: Diagnostic[];
}

/** The text of a configuration, and what was understood of it. */
export interface WrittenDown {
  /** In the order in which they count; what is included, and data, behind them. */
  files: WrittenFile[];
  blocks: ReadBlock[];
  /** The stage that it was read for. */
  stage?: string;
}

export interface WrittenFile {
  /** The real path. */
  path: string;
  source: Source;
  /** `part`: one of the files that hold blocks. */
  holds: 'part' | 'included' | 'data';
}

const maxValues = 2_000_000;

/** Reads the configuration. Whatever is wrong with it is in `diagnostics`; nothing that a user does wrong throws. */
export async function load(options: LoadOptions): Promise<Configuration> {
  const { kinds, cwd, vars = {}, varFiles = [], env, sources: mayRead = openSources({ env, cwd }) } = options;
  const diagnostics: Diagnostic[] = [];
  const sources: Source[] = [];
  const read = await readFiles(options, mayRead, sources, diagnostics);
  const { files, stage } = read;
  const configured = [...sources];
  const given = await readVarFiles(cwd, varFiles, sources, diagnostics);
  const isIncomplete = read.isIncomplete || given.some(({ documents }) => documents === undefined);

  const { header, added, documents, rootSections } = splitDocuments(read.documents, kinds, diagnostics);
  const stackNode = header.get('stack')?.value;
  const writtenStack = stackNode?.type === 'scalar' ? stackNode.text : '';
  const { refused, asked, dataFiles, ...variables } = await readAllowed(added.get('variables')!, {
    given: {
      vars,
      files: given.flatMap(({ documents }) => documents ?? []),
      env,
      secretEnvs: secretEnvs(added.get('secrets')!),
      ...(stage ? { stage: { name: stage.name, variables: variablesOf(stage.entry, diagnostics) } } : {}),
    },
    sources: mayRead,
    texts: sources,
    writtenStack,
    replaced: options.texts,
  });
  // A file that was not read may declare what seems to be missing.
  const isCertain = ({ code }: Diagnostic) => !isIncomplete || code !== 'var/undeclared';
  const globals: Globals = {
    variables: variables.variables,
    sections: rootSections,
    kinds: new Set(kinds.keys()),
    incomplete: isIncomplete,
    ...(stage ? { stage: stage.name } : {}),
  };
  const secrets = readSecrets(added.get('secrets')!, { scope: globals, cwd });
  const lookups = await lookupsIn(added.get('lookups')!, globals, options, diagnostics);
  const named = readNamed(header, expander(globals, diagnostics), diagnostics, stage);
  if (!header.has('stack') && !isIncomplete) diagnostics.push(nameless(files[0]));
  const sections = laidOut(
    {
      documents,
      templates: readTemplates(added.get('templates')!, kinds, diagnostics),
      use: itemsOf(added.get('use')!, 'use', diagnostics),
      patches: itemsOf(added.get('patches')!, 'patches', diagnostics),
    },
    { kinds, globals: { ...globals, secrets, lookups }, diagnostics },
  );
  const collected = collectBlocks(kinds, sections, diagnostics);
  const readAll = readBlocks(kinds, collected, await known(isIncomplete, collected, options));
  const resources = assemble(readAll, kinds, diagnostics);
  const all = [
    diagnostics,
    variables.diagnostics.filter(isCertain),
    secrets.diagnostics,
    shownSecrets(variables.origins, secrets.sources),
    ...readAll.map((block) => block.diagnostics),
    isIncomplete ? [] : danglingNames(readAll, collected.uncertain, kinds),
    findCycles(readAll, resources),
    outsideOf([named.owns, options.owns], resources.values()),
  ].flat();

  const pictures = await readPictures(resources, { kinds, files, sources: mayRead, stack: writtenStack });
  for (const source of sources) source.quote();
  const { stack = '', platform, ...limits } = named;
  return {
    desired: {
      stack,
      ...limits,
      lookups: lookups.all,
      resources,
      fieldAt: fieldPlaces(readAll),
      ...pictures.read,
      ...inputsOf(read),
    },
    files: files.map(({ path }) => path),
    behind: filesBehind([...files, ...given], [...asked, ...pictures.asked], secrets.sources, cwd),
    stages: read.stages,
    ...(stackNode ? {} : seeming(configured)),
    ...(platform ? { platform } : {}),
    secrets: secrets.sources,
    usedSecrets: usedIn(resources),
    ...fromOutside(variables),
    writtenStack,
    rendered: () => renderedOf(kinds, sections, secrets, lookups),
    // As a function it is in no dump of a configuration: it has the text as it stands there, secrets too.
    written: () => writtenDown(read, sources, dataFiles, readAll),
    notAllowed: [...refused, ...pictures.refused],
    diagnostics: sortDiagnostics(oncePerPlace(unlessUnstaged(all))),
  };
}

/** The context of reading blocks; all actions only if some block has a `$then`. */
const known = async (isIncomplete: boolean, { blocks }: Collected, { dayTwo }: LoadOptions) => ({
  isIncomplete,
  actions: blocks.some(({ meta }) => meta.some(({ key }) => key.text === '$then'))
    ? (await dayTwo?.())?.actions
    : undefined,
});

const renderedOf = (
  kinds: Kinds,
  sections: Section[],
  secrets: ReturnType<typeof readSecrets>,
  lookups: DeclaredLookups,
): Rendered => ({
  sections,
  secrets: secrets.rendered(),
  lookups: lookups.all,
  childrenOf: ({ name }) => childKinds(kinds, name),
});

/** The lookups that the sections `lookups:` declare; those of the platform are loaded only where there are some. */
const lookupsIn = async (
  sections: Node[],
  globals: Globals,
  { dayTwo, kinds }: LoadOptions,
  diagnostics: Diagnostic[],
): Promise<DeclaredLookups> =>
  readLookups(sections, {
    lookups: (sections.length > 0 ? (await dayTwo?.())?.lookups : undefined) ?? new Map(),
    expand: expander(globals, diagnostics),
    diagnostics,
    kinds,
  });

/** The variables that come from outside, or have to. */
const fromOutside = ({ variables, origins }: { variables: Variables; origins: Asked[] }) => ({
  missingVariables: variables.names().filter((name) => variables.get(name)?.type === 'missing'),
  variableOrigins: new Map(origins.map(({ name, origin }) => [name, originText(origin)])),
});

const inputsOf = ({ inputs, folders }: ReadFiles) => ({ inputs, folders });

const usedIn = (resources: Desired['resources']): Set<string> => {
  const holes = [...resources.values()].flatMap(({ fields }) => holesIn(fields));
  return new Set(holes.filter(isSecretRef).map(({ $secret }) => $secret));
};

function seeming(sources: Source[]): Pick<Configuration, 'seemingStack'> {
  const seemingStack = stackLine(sources);
  return seemingStack === undefined ? {} : { seemingStack };
}

/** The text of a configuration; a file that could not be read has none. */
function writtenDown(
  { files, documents, stage }: ReadFiles,
  sources: Source[],
  data: Omit<WrittenFile, 'holds'>[],
  blocks: ReadBlock[],
): WrittenDown {
  const included = new Set(documents.flatMap(({ file, isIncluded }) => (isIncluded ? [file.path] : [])));
  const own = files.flatMap(({ path, name }): WrittenFile[] => {
    const source = sources.find(({ file }) => file === name);
    return source ? [{ path, source, holds: included.has(path) ? 'included' : 'part' }] : [];
  });
  const read = data.map((one): WrittenFile => ({ ...one, holds: 'data' }));
  return { files: [...own, ...read], blocks, ...(stage ? { stage: stage.name } : {}) };
}

/** The sections once all layers are laid; none if they stand for more than can be meant. */
function laidOut(written: Written, context: Parameters<typeof lay>[1]): Section[] {
  const { kinds, diagnostics } = context;
  const sections = lay(written, context);
  if (!isTooLarge(sections.map(({ section }) => section))) return spreadNames(sections, kinds, diagnostics);
  diagnostics.push(tooLarge);
  return [];
}

/** The values of the header that name the stack and its account. */
function readNamed(
  header: ReadonlyMap<string, Entry>,
  expand: Expand,
  diagnostics: Diagnostic[],
  stage: ReadFiles['stage'],
): { stack?: string | undefined; platform?: Scope | undefined } & Pick<Desired, 'allow' | 'owns'> {
  const stack = header.get('stack');
  const platform = (stage && entryOf(stage.entry, 'platform')) ?? header.get('platform');
  const allow = header.get('$allow');
  const owns = header.get('owns');
  return {
    stack: stack && readStack(stack, expand, diagnostics, stage?.name),
    platform: platform && readPlatform(platform, expand, diagnostics),
    ...(allow ? { allow: readAllow(allow, expand, diagnostics) } : {}),
    ...(owns ? { owns: readOwns(owns.value, expand, diagnostics) } : {}),
  };
}

/** Keeps only the problem with the stage if none is chosen: everything else may be right in each of them. */
function unlessUnstaged(diagnostics: Diagnostic[]): Diagnostic[] {
  const unstaged = diagnostics.filter(({ code }) => code === 'stage/choose' || code === 'stage/unknown');
  return unstaged.length > 0 ? unstaged : diagnostics;
}

const tooLarge = problem('config/too-large', `the configuration expands to more than ${maxValues} values`);

const nameless = (first: FoundFile | undefined): Diagnostic =>
  problem('config/stack', 'the stack has no name', {
    at: first ? { file: first.name, line: 1, column: 1 } : undefined,
    hint: 'stack: name',
  });

function isTooLarge(nodes: Node[]): boolean {
  const sizes = new Map();
  return nodes.reduce((sum, node) => sum + sizeOf(node, sizes), 0) > maxValues;
}
