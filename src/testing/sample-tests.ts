/** The file with the tests of the first configuration, which `trueup init` writes (`src/init/sample-files.ts`). */
export const sampleTestsName = 'trueup.test.yaml';

/** The tests of the first configuration: what visitors get, and that one apply is enough. */
export const sampleTests = `# Tests of trueup.yaml. Run them without an account: trueup test
tests:
  - name: visitors cannot open the admin pages
    request: { url: https://www.example.com/admin }
    expect: { verdict: deny, rule: block-admin }
  - name: the domain without www redirects
    request: { url: https://example.com/ }
    expect: { redirect: https://www.example.com/, status: 308 }
  - name: after an apply nothing is left to do
    apply: true
    expect: { delete: 0, then: no changes }
`;
