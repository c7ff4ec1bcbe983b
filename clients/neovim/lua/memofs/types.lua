---@meta
--- What travels, as protocol.md tells it. For the language server; nothing loads this file.

---@class memofs.Failure
---@field code integer
---@field message string
---@field data? { family?: string, code?: string, hint?: string, correlationId?: string }

---@alias memofs.Verdict 'current'|'moved'|'reformatted'|'changed'|'missing'

---@class memofs.Position
---@field line integer
---@field character integer

---@class memofs.Range
---@field start memofs.Position
---@field end memofs.Position

---@class memofs.AnchorView
---@field path string
---@field uri string
---@field symbol? string
---@field range? memofs.Range
---@field verdict? memofs.Verdict

---@class memofs.Item what pickers show: a hit of a recall, or a memory
---@field id string
---@field title string
---@field kind string
---@field status 'active'|'pending'|'retired'
---@field uri string
---@field path string
---@field line integer
---@field flags string[]
---@field anchors memofs.AnchorView[]
---@field snippet? string
---@field tags? string[]
---@field score? number
---@field hash? string
---@field created? string
---@field updated? string
---@field verified? string
---@field matches? { title: integer[][], snippet: integer[][] }

---@class memofs.RecallResult
---@field hits memofs.Item[]
---@field weaker integer
---@field more integer
---@field notice? string
---@field degraded string[]

---@class memofs.AnchorRow
---@field memory string
---@field title string
---@field kind string
---@field anchorIndex integer
---@field path string
---@field uri string
---@field range? memofs.Range
---@field symbol? string
---@field verdict? memofs.Verdict
---@field candidates { path: string, uri: string, range?: memofs.Range, score: number, text: string }[]
---@field problem? string
---@field muted ('lens'|'diagnostics')[]

---@class memofs.Finding
---@field code string
---@field message string
---@field anchor memofs.AnchorRow
---@field memoryPath string
---@field memoryUri string
---@field memoryLine integer
---@field exists boolean

---@class memofs.Section
---@field name string
---@field cursor? string
---@field omitted integer

---@class memofs.ContextResult
---@field text string
---@field sections memofs.Section[]
---@field bytes integer
---@field estimatedTokens integer
---@field warnings string[]

---@alias memofs.Callback fun(failure: memofs.Failure?, result: any)
