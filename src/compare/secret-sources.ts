import { originText } from '../config/sources/verdict.ts';
import type { SecretSource } from '../config/values/secret-source.ts';

/** The place that a secret of a configuration is read from. */
export interface ComparedSource {
  /** The place as people read it: `env DB_STAGING`, `file db.json, key eu`. */
  text: string;
  /** Equal for equal places. Files of two folders can have equal names. */
  id: string;
}

/**
 * Returns where each secret of a configuration comes from, by its name, so that two sides can be compared without any value: whether two
 * secrets have equal values would be a hint about them.
 */
export const describeSecretSources = (
  secrets: ReadonlyMap<string, SecretSource>,
): ReadonlyMap<string, ComparedSource> =>
  new Map(
    [...secrets].map(([name, source]) => {
      const origin = originText(source);
      // `pick`: the text there contains several secrets.
      const text = source.pick ? `${origin}, key ${source.pick.key}` : origin;
      // An environment variable is the same in all folders. Other sources are paths or commands, which start from a folder.
      return [name, { text, id: JSON.stringify('env' in source ? [text] : [text, source.folder]) }];
    }),
  );
