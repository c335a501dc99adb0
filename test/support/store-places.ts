import { join } from 'node:path';
import { isStoreUrl } from '../../src/model/ledger-place.ts';
import { openStoreDocuments } from '../../src/stores/open-store.ts';
import { readIndexUrl, readStoreUrl } from '../../src/stores/store-url.ts';
import type { Place } from './ledger-places.ts';

/** A place behind a URL, as a run with these variables would open it. */
export function urlPlace(url: string, env: Record<string, string>, folder: string): Place {
  if (!isStoreUrl(url)) throw new Error(`${url} is no store`);
  return {
    open: (stack = 'demo') =>
      openStoreDocuments(readStoreUrl(url, true), {
        stack,
        env,
        who: () => 'ada@here',
        ...(env.TRUEUP_LEDGER_INDEX ? { index: readIndexUrl(env.TRUEUP_LEDGER_INDEX, false) } : {}),
        journalOf: () => join(folder, `${stack}.journal`),
      }),
    words: () => ['url', url],
    env,
    isQuick: true,
  };
}
