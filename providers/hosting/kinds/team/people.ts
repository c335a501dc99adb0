import * as z from 'zod';
import { type ApiObject, type Fields, immutable, type OtherNames, withTraits } from '#kind';

/** The names of a person in the lists of members. The e-mail address is the usual one. */
const names = ['email', 'username'];

/** Lets a kind name a person of the team by e-mail address, user name or user id. The facts are members of the kind's own list. */
export const namedByPerson: OtherNames = {
  facts: [...names, 'uid'],
  directory: {
    endpoint: 'GET /v3/teams/{teamId}/members',
    // As the team's own members are read. A pending invitation has no user id, so it names nobody.
    items: ['members', 'emailInviteCodes'],
    id: 'uid',
    names,
    noun: 'member of the team',
  },
};

/** Returns the fields that name a person. */
export const personFields = () => ({
  user: immutable(z.string().min(1)).describe(
    'A member of the team: the e-mail address, the user name or the user id.',
  ),
  uid: withTraits(z.string().min(1), { createOnly: true, foundBy: namedByPerson })
    .optional()
    .describe("The user's id. It is found by the name, so it is rarely needed."),
});

/** Returns the fields of a live member that name the person. A list may lack the e-mail address. */
export const personOf = ({ email, username, uid }: ApiObject): Fields => ({
  user: (email || username || uid) as string,
  uid: uid as string,
});
