import type { Sealed } from '../model/sealed.ts';

/** Names for secrets that are found, each once: `WEB_DATABASE_URL`. */
export interface SecretNames {
  /** A name made of these words; the same words give another name each time. `value`: what was read, if anything. */
  next(words: string[], value: Sealed | undefined): string;
  /** By name, in order. */
  all(): Map<string, Sealed | undefined>;
}

/** `isTaken`: whether a secret of this name would be read as something else than this value. */
export function secretNames(isTaken: (name: string, value: Sealed | undefined) => boolean): SecretNames {
  const used = new Map<string, Sealed | undefined>();
  const clean = (word: string) => word.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return {
    next(words, value) {
      const text = words.map(clean).filter(Boolean).join('_').toUpperCase();
      const named = /^[A-Z]/.test(text) ? text : `SECRET_${text}`;
      const isFree = (one: string) => !used.has(one) && !isTaken(one, value);
      const base = isTaken(named, value) ? `EXPORTED_${named}` : named;
      let name = base;
      for (let count = 2; !isFree(name); count++) name = `${base}_${count}`;
      used.set(name, value);
      return name;
    },
    all: () => new Map([...used].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
