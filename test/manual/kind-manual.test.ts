import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import { kinds as hostingKinds } from '../../providers/hosting/kinds/index.ts';
import { metaReaders } from '../../src/config/blocks/meta-readers.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import type { Kinds } from '../../src/kind/kind.ts';
import { kindList, kindListText } from '../../src/manual/kind-list.ts';
import { kindManual } from '../../src/manual/kind-manual.ts';
import { exampleAddresses, kindManualText } from '../../src/manual/kind-reference.ts';
import { metaKeys } from '../../src/manual/meta-keys.ts';
import { styleFor } from '../../src/report/style.ts';
import { displayWidth } from '../../src/report/text.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { kinds } from './kinds.ts';

const story = oneStoryIn(4);

const plain = (width: number) => ({ style: styleFor({ color: false, width }) });
const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);
const noRules = { basis: 'inferred', facts: [], assumptions: [] } as const;
const rulesByKind: Record<string, Parameters<typeof kindManual>[2]['rules']> = {
  site: {
    basis: 'measured',
    facts: [{ id: 'F1', statement: 'A site that is in use cannot be deleted.' }],
    assumptions: [{ statement: 'The name of a site can be changed.' }],
  },
};
const manualOf = async (all: Kinds, name: string) => {
  const kind = all.get(name)!;
  return kindManual(all, kind, {
    exampleAddresses: await exampleAddresses(all, kind),
    extraOperations,
    rules: rulesByKind[name] ?? noRules,
  });
};

describe('the manual page', () => {
  oneRowIn(4)([...kinds.keys()])('of a %s', async (name) => {
    const text = kindManualText(await manualOf(kinds, name), plain(100));
    await expect(`${text}\n`).toMatchFileSnapshot(golden(name));
  });

  it('in a narrow terminal', async () => {
    const text = kindManualText(await manualOf(kinds, 'site'), plain(48));
    await expect(`${text}\n`).toMatchFileSnapshot(golden('site-narrow'));
  });

  it('names the requests, and what for', async () => {
    const { requests } = await manualOf(kinds, 'variable');
    expect(requests).toEqual([
      { endpoint: 'GET /sites/{site}/env?all=true', when: ['list'] },
      { endpoint: 'POST /sites/{site}/env', when: ['create'] },
      { endpoint: 'PUT /sites/{site}/env/{id}', when: ['update'] },
      { endpoint: 'DELETE /sites/{site}/env', when: ['delete'] },
    ]);
  });

  it('tells that a creation may need the update as well', async () => {
    const { requests } = await manualOf(kinds, 'site');
    expect(requests).toContainEqual({ endpoint: 'PATCH /sites/{id}', when: ['create', 'update'] });
  });

  story('is as wide as a terminal, but never wider than 100, whatever the kind', async () => {
    const all = kindsOf(hostingKinds);
    let pages = 0;
    for (const name of all.keys())
      for (const width of [40, 72, 100, 300]) {
        const manual = await manualOf(all, name);
        const example = manual.example?.split('\n').map((line) => `  ${line}`) ?? [];
        const tooWide = kindManualText(manual, plain(width))
          .split('\n')
          .filter((line) => displayWidth(line) > Math.min(width, 100) && !example.includes(line));
        // A single word cannot be broken.
        expect(tooWide.filter((line) => / /.test(line.trim()))).toEqual([]);
        pages++;
      }
    console.log(`manual: ${pages} pages`);
    expect(pages).toBe(all.size * 4);
  });
});

describe('the list of kinds', () => {
  it.each([100, 60])('in %i columns', async (width) => {
    const text = kindListText(kindList(kinds), plain(width));
    await expect(`${text}\n`).toMatchFileSnapshot(golden(`list-${width}`));
  });
});

it('the $ keys of the manual are those that the configuration reads', () => {
  expect(Object.keys(metaKeys).sort()).toEqual(Object.keys(metaReaders).sort());
});
