/** The size limit of a comment on GitHub, in characters; a text of so many bytes never has more. */
export const commentLimit = 65_536;
