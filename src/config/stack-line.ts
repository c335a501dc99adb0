import type { Source } from './source.ts';

/**
 * The name of the stack by its line alone, out of files of which some are no YAML: good enough to say whose failure it is, and for nothing
 * else. Undefined where the line is not there, not the only one, or takes a variable.
 */
export function stackLine(sources: Source[]): string | undefined {
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/^stack:[ \t]+(["']?)([a-zA-Z0-9][\w.-]{0,62})\1[ \t]*(?:#.*)?\r?$/gm)].map(
      ([, , name]) => name!,
    ),
  );
  return names.length === 1 ? names[0] : undefined;
}
