import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Scope } from '../kind/provider.ts';
import { type Diagnostic, problem, sortDiagnostics } from '../model/diagnostic.ts';
import { foldDiagnostics } from '../model/fold-diagnostics.ts';
import type { Desired, Resource } from '../model/resource.ts';
import { assembleResources, indexFieldPositions } from './blocks/assemble-resources.ts';
import type { ReadBlock } from './blocks/block.ts';
import { type Collected, collectBlocks } from './blocks/collect-blocks.ts';
import { readBlocks } from './blocks/read-blocks.ts';
import type { Section } from './blocks/section-entries.ts';
import {
  type LoadOptions,
  listFileDependencies,
  type Rendered,
  resourcesBySecret,
  toConfigurationText,
  type WrittenConfiguration,
} from './configuration.ts';
import { type Expand, expander } from './expressions/expand.ts';
import type { Globals, Variables } from './expressions/scope.ts';
import { readPictures } from './fields/read-pictures.ts';
import type { FoundFile } from './find-files.ts';
import { checkTotalSize, type Growth } from './growth.ts';
import { amountOf, inspectNode } from './layers/inspect-node.ts';
import { type MergeInput, mergeLayers, type WrittenLayers } from './layers/merge-layers.ts';
import { type ReadFiles, readFiles } from './read-files.ts';
import {
  guessStackName,
  readAllow,
  readListItems,
  readOwns,
  readPlatform,
  readStack,
  splitDocuments,
} from './read-header.ts';
import { checkDanglingNames, findCycles } from './references/find-target.ts';
import { openSources } from './sources/sources.ts';
import { originText, type SourceRequest } from './sources/verdict.ts';
import { findUnreadParts } from './unread-parts.ts';
import { readAllowedVariables, readVarFiles, variablesOfStage } from './values/allowed-variables.ts';
import { type DeclaredLookups, readLookups } from './values/lookups.ts';
import { checkShownSecrets, findSecretEnvNames } from './values/secret-source.ts';
import { readSecrets } from './values/secrets.ts';
import { type Entry, entryOf, type Node, nowhere } from './yaml/nodes.ts';
import type { Source } from './yaml/source.ts';

/** Reads the configuration, for all commands and the library. Its problems are in `diagnostics`: no mistake of a user throws. */
export async function load(options: LoadOptions): Promise<WrittenConfiguration> {
  const { kinds, cwd, vars = {}, varFiles = [], env, sources: mayRead = openSources({ env, cwd }) } = options;
  const diagnostics: Diagnostic[] = [];
  const sources: Source[] = [];
  const read = await readFiles(options, mayRead, sources, diagnostics);
  const { files, stage } = read;
  const configurationSources = [...sources];
  const valueFiles = await readVarFiles(cwd, varFiles, sources, diagnostics);
  const isIncomplete = read.isIncomplete || valueFiles.some(({ documents }) => documents === undefined);

  const { header, added, documents, rootSections } = splitDocuments(read.documents, kinds, diagnostics);
  const stackNode = header.get('stack')?.value;
  const writtenStack = stackNode?.type === 'scalar' ? stackNode.text : '';
  const { refused, requests, dataFiles, ...variables } = await readAllowedVariables(added.get('variables')!, {
    inputs: {
      vars,
      files: valueFiles.flatMap(({ documents }) => documents ?? []),
      env,
      secretEnvs: findSecretEnvNames(added.get('secrets')!),
      ...(stage ? stageInput(stage, diagnostics) : {}),
    },
    sources: mayRead,
    texts: sources,
    writtenStack,
    replaced: options.texts,
  });
  const globals: Globals = {
    growth: variables.growth,
    variables: variables.variables,
    sections: rootSections,
    kinds: new Set(kinds.keys()),
    incomplete: isIncomplete,
    stage: stage?.name,
  };
  const secrets = readSecrets(added.get('secrets')!, { scope: globals, cwd });
  const lookups = await lookupsIn(added.get('lookups')!, globals, options, diagnostics);
  const named = readNamed(header, expander(globals, diagnostics), diagnostics, stage);
  if (!header.has('stack') && !isIncomplete) diagnostics.push(nameless(files[0]));
  const sections = await laySections(layersOf(documents, added, diagnostics), {
    kinds,
    globals: { ...globals, secrets, lookups },
    diagnostics,
  });
  const collected = collectBlocks(kinds, sections, diagnostics);
  const blocks = await readAllBlocks(collected, globals, options, diagnostics);
  const resources = assembleResources(blocks, kinds, diagnostics);
  const allDiagnostics = [
    diagnostics,
    isIncomplete ? withoutUndeclared(variables.diagnostics) : variables.diagnostics,
    secrets.diagnostics,
    checkShownSecrets(variables.origins, secrets.sources),
    ...blocks.map((block) => block.diagnostics),
    isIncomplete ? [] : checkDanglingNames(blocks, collected.uncertain, kinds),
    findCycles(blocks, resources),
    await findUnreadParts(options, [...files, ...read.filesOfOtherStages]),
    await outside({ named, header, options }, resources.values(), globals.growth),
  ].flat();

  const pictures = await readPictures(resources, { kinds, files, sources: mayRead, stack: writtenStack });
  const allRequests = [...requests, ...pictures.asked];
  for (const source of sources) source.quote();
  const { stack = '', platform, ...limits } = named;
  return {
    desired: {
      stack,
      ...limits,
      lookups: lookups.sources,
      resources,
      references: blocks.flatMap((block) => block.references),
      fieldAt: indexFieldPositions(blocks),
      ...pictures.read,
      ...inputsOf(read),
    },
    files: files.map(({ path }) => path),
    fileDependencies: listFileDependencies([...files, ...valueFiles], allRequests, secrets.sources, cwd),
    stages: read.stages,
    ...(stackNode ? {} : seeming(configurationSources)),
    platform,
    secrets: secrets.sources,
    usedSecrets: new Set(resourcesBySecret(resources.values()).keys()),
    ...fromOutside(variables),
    writtenStack,
    rendered: () => renderedOf(kinds, sections, secrets, lookups),
    // A function, so that no dump of a configuration contains it: the text may hold secrets.
    written: () => toConfigurationText(read, sources, dataFiles, blocks),
    notAllowed: [...refused, ...pictures.refused],
    diagnostics: sortDiagnostics(foldDiagnostics(unlessUnstaged(allDiagnostics))),
  };
}

/** Leaves out missing declarations, which may be in a file that could not be read. */
const withoutUndeclared = (diagnostics: Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ code }) => code !== 'var/undeclared');

/** Returns the sections of the configuration with everything that is laid on them. */
const layersOf = (
  documents: Entry[][],
  added: ReadonlyMap<string, Node[]>,
  diagnostics: Diagnostic[],
): WrittenLayers => ({
  documents,
  templates: added.get('templates')!,
  use: readListItems(added.get('use')!, 'use', diagnostics),
  patches: readListItems(added.get('patches')!, 'patches', diagnostics),
});

/** Reads the blocks. The reader of `$then` is loaded only if some block has one. */
async function readAllBlocks(
  collected: Collected,
  { incomplete: isIncomplete, growth }: Globals,
  { kinds, dayTwo }: LoadOptions,
  diagnostics: Diagnostic[],
): Promise<ReadBlock[]> {
  const context = { isIncomplete, growth };
  if (
    !dayTwo ||
    !collected.blocks.some(({ settingEntries }) => settingEntries.some(({ key }) => key.text === '$then'))
  )
    return readBlocks(kinds, collected, context, diagnostics);
  const { actions } = await dayTwo();
  const actionReader = { actions, read: (await import('./blocks/read-then.ts')).readThen };
  return readBlocks(kinds, collected, { ...context, actionReader }, diagnostics);
}

const renderedOf = (
  kinds: Kinds,
  sections: Section[],
  secrets: ReturnType<typeof readSecrets>,
  lookups: DeclaredLookups,
): Rendered => ({
  sections,
  secrets: secrets.rendered(),
  lookups: lookups.sources,
  childrenOf: ({ name }) => childKinds(kinds, name),
});

/** Reads the sections `lookups:`. Loads the lookups of the platform only if the configuration declares some. */
const lookupsIn = async (
  sections: Node[],
  globals: Globals,
  { dayTwo }: LoadOptions,
  diagnostics: Diagnostic[],
): Promise<DeclaredLookups> =>
  readLookups(sections, {
    lookups: (sections.length > 0 ? (await dayTwo?.())?.lookups : undefined) ?? new Map(),
    expand: expander(globals, diagnostics),
    diagnostics,
  });

/** Returns the variables whose values come from outside of the configuration, or are missing. */
const fromOutside = ({ variables, origins }: { variables: Variables; origins: SourceRequest[] }) => ({
  missingVariables: variables.names().filter((name) => variables.get(name)?.type === 'missing'),
  variableOrigins: new Map(origins.map(({ name, origin }) => [name, originText(origin)])),
});

/** Reports the resources that the stack may not own: the header and the workspace limit them. */
async function outside(
  {
    named,
    header,
    options,
  }: { named: Pick<Desired, 'owns'>; header: ReadonlyMap<string, Entry>; options: LoadOptions },
  resources: Iterable<Resource>,
  growth: Growth,
): Promise<Diagnostic[]> {
  const written = [
    { owns: named.owns, at: header.get('owns')?.value.at ?? nowhere },
    { owns: options.owns, at: nowhere },
  ];
  const fences = written.flatMap(({ owns, at }) => (owns ? [{ owns, at }] : []));
  if (fences.length === 0) return [];
  return (await import('./check-owned-addresses.ts')).checkOwnedAddresses(fences, resources, {
    kinds: options.kinds,
    growth,
  });
}

/** Returns the values that the chosen stage sets for variables, as an input of the variables. */
const stageInput = ({ name, entry }: NonNullable<ReadFiles['stage']>, diagnostics: Diagnostic[]) => ({
  stage: { name, variables: variablesOfStage(entry, diagnostics) },
});

const inputsOf = ({ inputs, folders }: ReadFiles) => ({ inputs, folders });

function seeming(sources: Source[]): Pick<WrittenConfiguration, 'guessedStack'> {
  const guessedStack = guessStackName(sources);
  return guessedStack === undefined ? {} : { guessedStack };
}

/** Returns the sections with all layers laid, or none if they stand for more than can be meant. Globs in names are rare: their code is loaded on demand. */
async function laySections(written: WrittenLayers, context: MergeInput): Promise<Section[]> {
  const { globals, diagnostics } = context;
  const sections = await mergeLayers(written, context);
  if (globals.growth.isExceeded) return [];
  const looks = sections.map(({ section }) => inspectNode(section, globals.kinds));
  const tooLarge = checkTotalSize(
    sections.map(({ section }) => section),
    (node) => amountOf(node, globals.kinds),
  );
  if (tooLarge) {
    diagnostics.push(tooLarge);
    return [];
  }
  if (!looks.some(({ hasGlobs }) => hasGlobs)) return sections;
  const spread = (await import('./layers/expand-name-globs.ts')).expandNameGlobs(sections, context);
  return globals.growth.isExceeded ? [] : spread;
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
    allow: allow && readAllow(allow, expand, diagnostics),
    owns: owns && readOwns(owns.value, expand, diagnostics),
  };
}

/** Keeps only the problem with the stage if none is chosen: everything else may be right in each of them. */
function unlessUnstaged(diagnostics: Diagnostic[]): Diagnostic[] {
  const unstaged = diagnostics.filter(({ code }) => code === 'stage/choose' || code === 'stage/unknown');
  return unstaged.length > 0 ? unstaged : diagnostics;
}

const nameless = (first: FoundFile | undefined): Diagnostic =>
  problem('config/stack', 'the stack has no name', {
    at: first ? { file: first.name, line: 1, column: 1 } : undefined,
    hint: 'stack: name',
  });
