/** What every run asks of its own, whatever is declared: whose the account is. */
export const lookups = { team: 'GET /v2/teams/{teamId}', user: 'GET /v2/user' } as const;
