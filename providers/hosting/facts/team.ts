import type { Fact } from '#kind';
import { confirmedIf, inArea, isSuccess, judgeRows, rowsOf, toRow, toVerdict } from './observed.ts';

const invite = 'POST /v2/teams/{teamId}/members';
const readTeam = 'GET /v2/teams/{teamId}';
const user = 'GET /v2/user';
const tokens = 'GET /v6/user/tokens';
const createToken = 'POST /v3/user/tokens';
const stores = 'GET /v1/storage/stores';
const authToken = ['authToken'];

/** Facts about members, users and stores of a team. */
const memberFacts: Fact[] = inArea('team', [
  {
    id: 'PF76',
    statement: 'Version 2 of an invitation takes a list of people, version 1 takes one.',
    source: 'API catalog; terraform-provider-vercel, client/team_member.go',
    confidence: 'documented',
    kinds: ['teamMember'],
    operations: [invite],
  },
  {
    id: 'PF77',
    statement: 'After an invitation, requests can answer `member_not_found` for a while.',
    source: 'terraform-provider-vercel, client/error.go',
    confidence: 'read',
    kinds: ['teamMember', 'projectMember', 'accessGroupMember'],
    operations: [invite],
  },
  {
    id: 'PF80',
    statement:
      'A user of the version `northstar` has no personal account to use. Requests without a team go to an empty account.',
    source: 'vercel CLI, util/get-scope.ts, index.ts',
    confidence: 'read',
    kinds: [],
    operations: [user],
    answer(observed) {
      const { version, defaultTeamId } = toRow(toRow(observed.body).user);
      if (!isSuccess(observed) || version !== 'northstar') return undefined;
      return toVerdict(typeof defaultTeamId === 'string');
    },
  },
  {
    id: 'PF81',
    statement:
      'A Blob store can be renamed. It reads its owner, its size and the number of its objects among other members.',
    source: 'terraform-provider-vercel, client/blob.go, resource_blob_store.go',
    confidence: 'read',
    kinds: ['blobStore'],
    operations: [stores],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'stores'), (row) =>
        row.type === 'blob'
          ? toVerdict(['ownerId', 'size', 'count'].every((member) => Object.hasOwn(row, member)))
          : undefined,
      ),
  },
]);

/** Facts about tokens: what they reach, and how the platform refuses the remaining requests. */
const tokenFacts: Fact[] = inArea('tokens', [
  {
    id: 'PF78',
    statement:
      'A token that a person made reads `type: token`, `origin: manual` and a prefix such as `vcp_`, and the team if it is limited to one.',
    source: 'terraform-provider-vercel, resource_user_token_test.go',
    confidence: 'read',
    kinds: authToken,
    operations: [tokens],
    answer: (observed) =>
      judgeRows(rowsOf(observed, 'tokens'), ({ origin, type, prefix }) =>
        origin === 'manual' ? toVerdict(type === 'token' && typeof prefix === 'string') : undefined,
      ),
  },
  {
    id: 'PF79',
    statement: 'A new token can be limited to one project (`projectId`) since the end of July 2026.',
    source: 'vercel/terraform-provider-vercel#526; documentation: Create an Auth Token',
    confidence: 'documented',
    kinds: authToken,
    operations: [createToken],
  },
  {
    id: 'PT1',
    statement:
      'A token has one of three scopes: all accounts of its user, one team, or one project. A project token is refused for other projects, and for objects of the user and the team.',
    source: 'changelog: Project-scoped Tokens (2026-07-30); documentation: Access tokens',
    confidence: 'documented',
    kinds: [],
    operations: [],
  },
  {
    id: 'PT2',
    statement: 'With a token of one team or one project, `teamId` is inferred. Other tokens need it.',
    source: 'documentation: Access tokens',
    confidence: 'documented',
    kinds: [],
    operations: [],
  },
  {
    id: 'PT3',
    statement: 'A project token reads its project. A read of the team gives 403 `team_unauthorized`.',
    source:
      'vercel CLI, util/projects/link.ts, link/index.test.ts; vercel/vercel#16999; clavia-labs/tardigrade#327',
    confidence: 'measured',
    kinds: ['team'],
    operations: [readTeam],
    answer: ({ status, body }) =>
      confirmedIf(status === 403 && toRow(toRow(body).error).code === 'team_unauthorized'),
  },
  {
    id: 'PT4',
    statement:
      'A token without the single sign-on of a team gets 403 `forbidden`, with `saml`, `teamId`, `scope` and `enforced` in the error.',
    source: 'zentered/vercel-preview-url#170',
    confidence: 'measured',
    kinds: ['team'],
    operations: [readTeam],
    answer({ status, body }) {
      const error = toRow(toRow(body).error);
      return confirmedIf(status === 403 && error.code === 'forbidden' && error.saml === true);
    },
  },
  {
    id: 'PT5',
    statement:
      "The platform's command line cannot pull settings with a project token, because it reads the team.",
    source: 'vercel/vercel#17506',
    confidence: 'measured',
    kinds: [],
    operations: [readTeam],
  },
  {
    id: 'PT6',
    statement:
      'Only a token of the whole user creates tokens; others get 403. The list of tokens refuses a team in the query.',
    source: 'vercel CLI, tokens/add.ts; vercel/vercel#15812; documentation: Access tokens',
    confidence: 'documented',
    kinds: authToken,
    operations: [tokens, createToken],
  },
  {
    id: 'PT7',
    statement:
      'The creation of a token takes `name`, `expiresAt` and `projectId`, the last only for a team. Sources differ on whether its answer has `projectId`.',
    source: 'documentation: Create an Auth Token; terraform-provider-vercel, client/user_token.go',
    confidence: 'documented',
    kinds: authToken,
    operations: [createToken],
  },
  {
    id: 'PT8',
    statement:
      'A project token probably reaches everything below its project: settings, domains, variables, firewall and deployments. Objects of the team are refused. No list is published.',
    source: 'documentation: Access tokens',
    confidence: 'inferred',
    kinds: [],
    operations: [],
  },
  {
    id: 'PT9',
    statement:
      'The name of a `northstar` user can equal the slug of a team. The team wins, and the personal account cannot be chosen.',
    source: 'vercel CLI, index.ts, domains/move.ts',
    confidence: 'read',
    kinds: [],
    operations: [user],
  },
  {
    id: 'PT10',
    statement: 'Without a team in the query, a `northstar` user gets empty lists, not errors.',
    source: 'vercel CLI, util/get-scope.ts',
    confidence: 'read',
    kinds: [],
    operations: [user],
  },
  {
    id: 'PT11',
    statement:
      'Members with the role Viewer only read. Owners may change everything. What the other roles may change depends on the kind of object.',
    source: 'documentation: Access Roles',
    confidence: 'documented',
    kinds: ['teamMember'],
    operations: [],
  },
]);

/** Facts about members, users, stores and tokens. */
export const teamFacts: Fact[] = [...memberFacts, ...tokenFacts];
