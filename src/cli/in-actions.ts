/** Whether this runs in GitHub Actions. */
export const inActions = (): boolean => process.env.GITHUB_ACTIONS === 'true';
