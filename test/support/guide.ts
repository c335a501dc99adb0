import { readFileSync } from 'node:fs';

/** The blocks of a page of the documentation in one language, with `elsewhere` or without. */
export const blocksIn = (page: string, language: string): string[] =>
  [
    ...readFileSync(page, 'utf8').matchAll(
      new RegExp(`^\`\`\`${language}(?: elsewhere)?\\n(.*?)^\`\`\`$`, 'gms'),
    ),
  ].map(([, text]) => text!);

export const storesGuide = 'docs/guides/ledger-stores.md';
