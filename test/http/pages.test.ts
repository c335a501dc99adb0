import { describe, expect, test } from 'vitest';
import { IncompleteList } from '../../src/http/errors.ts';
import { type ListOptions, openPages, pagings } from '../../src/http/pages.ts';
import { readAllPages } from '../../src/model/request.ts';
import { failure } from './serve.ts';

/** Answers in turn, and keeps the queries. */
function list(answers: unknown[], options: Partial<ListOptions>) {
  const queries: Record<string, string>[] = [];
  const result = openPages({
    call: { method: 'GET', path: '/list' },
    items: 'items',
    get: async (query) => {
      queries.push(query);
      return answers[queries.length - 1];
    },
    ...options,
  }).then(readAllPages);
  return { queries, result };
}

const page = (ids: string[], pagination: unknown, more = {}) => ({
  items: ids.map((id) => ({ id })),
  pagination,
  ...more,
});
const ids = async (result: Promise<unknown[]>) =>
  (await result).map((item) => (item as { id: string }).id).join('');

test.each([
  ['time', pagings.time, { next: 500 }, { next: null }, { limit: '100', until: '501' }],
  ['quietTime', pagings.quietTime, { next: 500 }, { next: null }, { until: '501' }],
  ['from, a number', pagings.from, { next: 500 }, { next: null }, { limit: '100', from: '500' }],
  ['from, a text', pagings.from, { next: '500' }, { next: '' }, { limit: '100', from: '500' }],
  ['next', pagings.next, { count: 2, next: 'n1' }, { count: 1, next: null }, { limit: '100', next: 'n1' }],
  [
    'next with hasNext',
    pagings.next,
    { hasNext: true, next: 'n1' },
    { hasNext: false },
    { limit: '100', next: 'n1' },
  ],
  ['cursor', pagings.cursor, { next: 'n1' }, { next: null }, { limit: '100', cursor: 'n1' }],
  [
    'page',
    pagings.page,
    { page: 1, per_page: 100, numPages: 2 },
    { page: 2, per_page: 100, numPages: 2 },
    { per_page: '100', page: '2' },
  ],
  ['lastKey', pagings.lastKey, { OwnerId: 'o', Id: 'k1' }, undefined, { limit: '100', offset: 'k1' }],
])('%s', async (_, paging, first, second, query) => {
  const { queries, result } = list([page(['a', 'b'], first), page(['b', 'c'], second)], { paging });
  expect(await ids(result)).toBe('abc');
  expect(queries[1]).toEqual(query);
  const { until, from, next, cursor, page: _page, offset, ...size } = query as Record<string, string>;
  expect(queries[0]).toEqual(size);
});

test('flat cursors', async () => {
  const one = list([page(['a'], undefined, { nextCursor: 'n' }), page(['b'], undefined)], {
    paging: pagings.nextCursor,
  });
  expect(await ids(one.result)).toBe('ab');
  expect(one.queries[1]).toEqual({ limit: '100', cursor: 'n' });
  const two = list([page(['a'], undefined, { cursor: 'n' }), page(['b'], undefined)], {
    paging: pagings.flatCursor,
  });
  expect(await ids(two.result)).toBe('ab');
});

// What a server does that goes back from a time, which it includes or not.
function backFrom(times: number[], size: number, inclusive: boolean) {
  const all = times.map((createdAt, i) => ({ id: `i${i}`, createdAt }));
  return async ({ until }: Record<string, string>) => {
    const wanted = all.filter(
      ({ createdAt }) => until === undefined || createdAt < Number(until) + Number(inclusive),
    );
    const items = wanted.slice(0, size);
    return { items, pagination: { next: wanted.length > size ? items.at(-1)!.createdAt : null } };
  };
}

test.each([
  ['items of the same millisecond at the edge of a page', [9, 8, 7, 7, 7, 6, 5], 4, false],
  ['the same, inclusive', [9, 8, 7, 7, 7, 6, 5], 4, true],
  ['pages of two', [9, 8, 7, 6, 5], 2, false],
  ['inclusive pages of two', [9, 8, 7, 6, 5], 2, true],
  ['full pages', Array.from({ length: 250 }, (_, i) => 1000 - Math.floor(i / 3)), 100, false],
])('nothing is lost: %s', async (_, times, size, inclusive) => {
  const get = backFrom(times, size, inclusive);
  expect(await list([], { paging: pagings.time, get }).result).toHaveLength(times.length);
});

test.each([
  ['a full page', 120, 100],
  ['a page that is smaller than requested', 60, 50],
  ['exactly one page, and older ones', 25, 25],
  ['pages of one', 1, 1],
])('items of one millisecond that fill %s cannot be proven complete', async (_, count, size) => {
  const get = backFrom([...Array.from({ length: count }, () => 7), 6], size, false);
  const error = await failure(list([], { paging: pagings.time, get }).result, IncompleteList);
  expect(error.message).toContain('no way to reach the next page');
});

test.each([[true], [{}], [[]], [{ next: 'n1' }]])(
  'a next page in an unknown form makes a list incomplete: %j',
  async (next) => {
    const { result } = list([page(['a'], { next })], { paging: pagings.next });
    const error = await failure(result, IncompleteList);
    expect(error.message).toContain('next page in an unknown form');
  },
);

test.each([[false], [[]], ['0'], [-1], [Number.MAX_VALUE]])(
  'a number of hidden items in an unknown form makes a list incomplete: %j',
  async (hiddenCount) => {
    const { result } = list([page(['a'], { next: null }, { hiddenCount })], {
      paging: pagings.next,
      hidden: 'hiddenCount',
    });
    const error = await failure(result, IncompleteList);
    expect(error.message).toContain('does not see');
  },
);

test('a list that hides items from the token is incomplete', async () => {
  const hidden = { hidden: 'hiddenCount' };
  for (const paging of [undefined, pagings.time]) {
    const answer = page(['a'], { next: null }, { hiddenCount: 2 });
    const error = await failure(list([answer], { paging, ...hidden }).result, IncompleteList);
    expect(error.message).toContain('does not see 2 more items (hiddenCount)');
  }
  const none = page(['a'], { next: null }, { hiddenCount: 0 });
  expect(await ids(list([none], { paging: pagings.time, ...hidden }).result)).toBe('a');
});

test('items without an id are told apart by their key, else as a whole; the latest form counts', async () => {
  const pages = (first: unknown[], second: unknown[]) => [
    { items: first, pagination: { next: 5 } },
    { items: second, pagination: { next: null } },
  ];
  const named = pages([{ name: 'a', v: 1 }, { name: 'b' }], [{ name: 'a', v: 2 }]);
  expect(await list(named, { paging: pagings.time, key: 'name' }).result).toEqual([
    { name: 'a', v: 2 },
    { name: 'b' },
  ]);
  expect(await list(pages([{ v: 1 }], [{ v: 1 }, { v: 2 }]), { paging: pagings.time }).result).toHaveLength(
    2,
  );
  expect(
    await list(pages([{ uid: 'u' }, 'x'], [{ uid: 'u', v: 1 }, null]), { paging: pagings.time }).result,
  ).toEqual([{ uid: 'u', v: 1 }, 'x', null]);
});

test('doubles within one page', async () => {
  for (const paging of [undefined, pagings.time])
    expect(
      await list([{ items: [{ id: 1, v: 1 }, { id: 1, v: 2 }, { v: 3 }, { v: 3 }] }], { paging }).result,
    ).toEqual([{ id: 1, v: 2 }, { v: 3 }, { v: 3 }]);
});

test('the list may be the answer, or deep in it', async () => {
  expect(await list([[1, 2]], { items: '' }).result).toEqual([1, 2]);
  expect(await list([{ a: { b: [1] } }], { items: 'a.b' }).result).toEqual([1]);
  expect(await list([[{ id: 'a' }]], { paging: pagings.from }).result).toEqual([{ id: 'a' }]);
});

describe('a list that is not certainly complete is an error', () => {
  const many = Array.from({ length: 100 }, (_, i) => String(i));
  test.each<[string, unknown[], Partial<ListOptions>]>([
    ['no list', [{ other: [] }], {}],
    ['no list on the second page', [page(['a'], { next: 1 }), {}], { paging: pagings.time }],
    ['no answer', [undefined], { paging: pagings.time }],
    ['a circle', [page(['a'], { next: 'n' }), page(['b'], { next: 'n' })], { paging: pagings.cursor }],
    [
      'a longer circle',
      [page(['a'], { next: 'n' }), page(['b'], { next: 'm' }), page(['c'], { next: 'n' })],
      { paging: pagings.cursor },
    ],
    ['a next page without a place', [page(['a'], { hasNext: true, next: null })], { paging: pagings.time }],
    ['a full page that says nothing', [page(many, undefined)], { paging: pagings.time }],
    ['pages where none are known', [page(['a'], { next: 1 })], {}],
    ['a cursor where none is known', [page(['a'], undefined, { nextCursor: 'n' })], {}],
  ])('%s', async (_, answers, options) => {
    expect(await failure(list(answers, options).result, IncompleteList)).toMatchObject({
      code: 'http/incomplete-list',
      method: 'GET',
      path: '/list',
    });
  });

  test('no end', async () => {
    let n = 0;
    const get = async () => page([], { next: ++n });
    await failure(list([], { paging: pagings.time, get }).result, IncompleteList);
  });
});

test('a short or a documented whole answer without a place is complete', async () => {
  const many = Array.from({ length: 150 }, (_, i) => String(i));
  expect(await list([page(['a'], undefined)], { paging: pagings.time }).result).toHaveLength(1);
  expect(await list([page(many, undefined)], { paging: pagings.quietTime }).result).toHaveLength(150);
});
