import { flag, inProject, type Sample } from '../support/sample.ts';

export const bulkRedirects: Sample = {
  place: (block) => inProject({ bulkRedirects: { '/old': block } }),
  base: { destination: '/new' },
  leaves: {
    destination: ['/one', '/two'],
    statusCode: [301, 308],
    caseSensitive: flag,
    query: flag,
    preserveQueryParams: flag,
  },
};
