import * as z from 'zod';
import { defineKind, immutable, openEnum } from '#kind';
import { storesIn } from './stores-in.ts';

/** A place for files. The catalog reads one by its id only; the list is the one that the platform's own clients ask for. */
export const blobStore = defineKind({
  name: 'blobStore',
  doc: 'A file store. Deleting it deletes its files.',
  section: 'blobStores',
  otherWords: ['blob'],
  key: ['name'],
  lifecycle: { replace: 'never', container: true, asks: { cost: 'create' } },
  undeclared: ['projectId'],
  usual: { access: 'public' },
  fields: () => ({
    name: immutable(z.string().min(1).max(100)).describe('Its display name.'),
    region: immutable(openEnum(['iad1', 'fra1', 'cdg1', 'lhr1', 'sfo1', 'hnd1', 'sin1', 'syd1', 'gru1']))
      .optional()
      .describe('Where the files are.'),
    access: immutable(z.enum(['public', 'private']))
      .optional()
      .describe('Who may read files by URL: everyone, or only token holders.'),
  }),
  example: { uploads: { region: 'fra1', access: 'private' } },
  read: {
    endpoint: 'GET /v1/storage/stores',
    items: (answer) => storesIn(answer, 'blob'),
    byId: {
      endpoint: 'GET /storage/stores/{id}',
      item: ({ store }) => storesIn({ stores: [store] }, 'blob')[0],
    },
  },
  create: {
    endpoint: 'POST /storage/stores/blob',
    returns: ({ address }) => [{ address, path: ['store', 'id'] }],
  },
  delete: 'DELETE /storage/stores/blob/{id}',
});
