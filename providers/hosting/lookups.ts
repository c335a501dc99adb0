/** Requests that every run sends, with any configuration: they tell who owns the account. */
export const lookups = { team: 'GET /v2/teams/{teamId}', user: 'GET /v2/user' } as const;
