/** The platform's own types do not know it yet. */
type ScriptUrls = { createScriptURL: (url: string) => string }
type TrustedTypes = { createPolicy: (name: string, rules: ScriptUrls) => ScriptUrls }

/** The Content-Security-Policy lets no plain text name a script. A policy knows one: this. */
export function scriptUrl(policyName: string, url: string): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  return trustedTypes?.createPolicy(policyName, { createScriptURL: () => url }).createScriptURL('') ?? url
}
