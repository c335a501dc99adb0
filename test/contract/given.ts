import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Resource } from '../../providers/hosting/twin/resource.ts';
import { resources } from '../../providers/hosting/twin/resources.ts';
import type { Kind } from '../../src/kind/kind.ts';
import type { Sample } from '../support/sample.ts';
import { samples } from '../support/samples.ts';

/** Everything that somebody writes who adds a kind. */
export interface Given {
  /** Those of the index, in its order. */
  kinds: Kind[];
  /** Files that declare a kind, by the name that they export it under. */
  files: ReadonlyMap<string, string>;
  samples: Readonly<Record<string, Sample>>;
  resources: Resource[];
}

/** What is wrong with one kind, for whoever adds it. */
export interface Finding {
  kind: string;
  message: string;
}

export const root = path.resolve(import.meta.dirname, '../..');
export const folder = 'providers/hosting/kinds';

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The files of TypeScript below a folder. */
export const sources = (under: string): string[] =>
  readdirSync(path.join(root, under), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join(under, name.replaceAll(path.sep, '/')));

/** `projectMember` as a file is called: `project-member`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What is there. */
export const given: Given = {
  kinds,
  files: new Map(
    sources(folder).flatMap((file) =>
      [...textOf(file).matchAll(/^export const (\w+) = defineKind\(/gm)].map(([, name]) => [name!, file]),
    ),
  ),
  samples,
  resources,
};
