import type { Block } from '../support/samples.ts';
import type { World } from '../support/world.ts';

/**
 * Names the OAuth apps that the account has and the ledger lacks by their `$id`, as people have to do: the platform lists no apps, so a run that
 * was interrupted at the creation of one cannot find it.
 */
export function withAppIds(blocks: Block, { twin, ledger }: World): Block {
  const { oauthApps } = blocks as { oauthApps?: Record<string, Block> };
  if (oauthApps === undefined) return blocks;
  const named = Object.entries(oauthApps).map(([slug, app]) => {
    const found = twin.account.oauthApps.find((found) => found.slug === slug);
    const isRecorded = Object.values(ledger.entries).some(({ ids }) => ids.includes(found?.id as string));
    return [slug, found && !isRecorded ? { ...app, $id: found.id } : app];
  });
  return { ...blocks, oauthApps: Object.fromEntries(named) };
}
