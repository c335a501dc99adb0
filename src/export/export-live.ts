import type { Address } from '../model/address.ts';
import { countObjects } from '../model/logical-changes.ts';
import type { Sealed } from '../model/sealed.ts';
import { dropUndefined } from '../model/walk.ts';
import { describeUnexported } from './block-sources.ts';
import { createSecretNames, SecretPlaces } from './secret-names.ts';
import {
  type ExportedSections,
  type LiveExportOptions,
  type PassResult,
  SectionWriter,
} from './write-sections.ts';

/** The configuration of an account: the sections of the main file, and everything around them. */
export interface ExportResult extends PassResult {
  /** The sections of the other files. Files without sections are left out. */
  otherFiles: { file: string; sections: ExportedSections }[];
  /** The secrets that the configuration needs, by name, with their sealed values if these could be read. */
  secrets: Map<string, Sealed | undefined>;
  /** The addresses that need each secret, by its name. */
  secretUsers: Map<string, Address[]>;
  /** The number of exported objects as plans count them. `count` has the number of blocks: the two records of a set are two. */
  objectCount: number;
  /** The chosen objects that are exported, by their live addresses. */
  converted: ReadonlySet<Address>;
  /**
   * The chosen objects that cannot be declared, with reasons, but not the objects inside them. `notes` has a sentence for each block,
   * too.
   */
  leftOut: ReadonlyMap<Address, string>;
  /** The addresses that the export gives to objects without names of their own, by their live addresses. */
  newAddresses: ReadonlyMap<Address, Address>;
}

/**
 * Returns the configuration of an account, or of chosen objects, such that a plan of it finds no difference. Equal accounts give equal
 * texts. Used by `export`, by the converters for Terraform and zone files, and by `accept` for new objects. `isTaken`: true if a secret of
 * a name already has another value where the export is used.
 */
export function exportLive(options: LiveExportOptions): ExportResult {
  const completeOptions = { ...defaultOptions, ...dropUndefined(options) };
  const { live, kinds, files, isTaken } = completeOptions;
  const writer = new SectionWriter(completeOptions);
  // First everything, as if into one file, with placeholders for secrets: their names depend on all places where they are used.
  const { places, notes, incomplete, count, valueCounts, sections: allSections } = writeWhole(writer);
  const names = createSecretNames(places.listWords(), isTaken);
  const otherNames = [...new Set(files.map(({ file }) => file))];
  // For one file, the placeholders are replaced by names. For several, each is written by a further pass, which knows the names.
  const nameSecrets = otherNames.length === 0 ? places.createFiller(names) : undefined;
  const sections = nameSecrets
    ? allSections.map((section) => ({ ...section, value: nameSecrets(section.value) }))
    : writer.writePass({ file: undefined }, names).sections;
  const otherFiles = otherNames
    .map((file) => ({ file, sections: writer.writePass({ file }, names).sections }))
    .filter((otherFile) => otherFile.sections.length > 0);
  const secrets = [...names.namedSecrets()];
  return {
    sections,
    otherFiles,
    secrets: new Map(secrets.map(([name, { value }]) => [name, value])),
    secretUsers: new Map(secrets.map(([name, { uses }]) => [name, uses])),
    notes: [...notes, ...describeUnexported(live, kinds)],
    incomplete,
    count,
    valueCounts,
    objectCount: countObjects(
      [...live.resources.values()].filter(({ address }) => writer.converted.has(address)),
    ),
    converted: writer.converted,
    leftOut: writer.leftOut,
    newAddresses: writer.newAddresses,
  };
}

/**
 * Writes the whole export again and again until a pass finds nothing that changes the next one. An object that refers to a left out one
 * cannot be declared either, for example. Returns the result of the last pass. `places` has the places of secrets in it, which get names
 * after that.
 */
function writeWhole(writer: SectionWriter): PassResult & { places: SecretPlaces } {
  for (;;) {
    const findingsBefore = writer.countFindings();
    const places = new SecretPlaces();
    const result = writer.writePass({ writesAll: true }, places);
    if (writer.countFindings() === findingsBefore) return { ...result, places };
  }
}

/** The options of an export that the caller does not set. */
const defaultOptions = {
  isChosen: () => true,
  isTaken: () => false,
  values: 'inline',
  files: [],
  labels: new Map(),
  declared: new Set(),
  withId: new Set(),
  writesUsualValues: () => false,
  isPublic: () => false,
  secretLinks: new Map(),
} satisfies Omit<Required<LiveExportOptions>, 'live' | 'kinds'>;
