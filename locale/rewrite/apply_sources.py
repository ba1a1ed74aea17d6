"""Apply an English rewrite map to sources and catalogs. usage: apply_en.py ROOT MAP.json..."""
import ast,json,re,sys,pathlib,subprocess
root=pathlib.Path(sys.argv[1]); maps=[]
for m in sys.argv[2:]: maps+=json.load(open(m))
by={}
for e in maps:
    by[e['old']]=e['new']
    if e.get('old_plural'): by.setdefault(e['old_plural'],e['new_plural'])
ctxby={(e['ctx'],e['old']):e for e in maps}
# strings with different new by ctx
used=set()
files=subprocess.check_output(['git','ls-files','games','accounts','config','templates'],cwd=root,text=True).split()
FUNCS={'_','gettext','gettext_lazy','gettext_noop','ngettext','ngettext_lazy','pgettext','pgettext_lazy','npgettext','npgettext_lazy','N_','_lazy'}
def lit(s,indent,width=100):
    """Return source for a string literal, split over lines if needed."""
    q=json.dumps(s,ensure_ascii=False)
    if len(q)+indent<=width-3: return q
    parts=[];cur=''
    for w in re.split(r'(?<= )',s):
        if len(json.dumps(cur+w,ensure_ascii=False))+indent>width-6 and cur: parts.append(cur);cur=''
        cur+=w
    parts.append(cur)
    return ('\n'+' '*indent).join(json.dumps(p,ensure_ascii=False) for p in parts)
log=[]
for f in files:
    p=root/f
    if f.endswith('.py') and '/migrations/' not in f:
        src=p.read_text(); 
        try: tree=ast.parse(src)
        except SyntaxError: continue
        lines=src.split('\n'); off=[0]
        bl=src.encode().split(b'\n')
        for l in bl: off.append(off[-1]+len(l)+1)
        reps=[]
        docs=set()
        for n in ast.walk(tree):
            if isinstance(n,(ast.Module,ast.ClassDef,ast.FunctionDef,ast.AsyncFunctionDef)) and n.body and isinstance(n.body[0],ast.Expr) and isinstance(n.body[0].value,ast.Constant): docs.add(id(n.body[0].value))
        def visit(n,incall):
            if isinstance(n,ast.Call):
                fn=n.func; name=fn.id if isinstance(fn,ast.Name) else fn.attr if isinstance(fn,ast.Attribute) else ''
                inn = name in FUNCS
                args=n.args
                ctx=None
                if name in('pgettext','pgettext_lazy','npgettext','npgettext_lazy') and args and isinstance(args[0],ast.Constant): ctx=args[0].value; args=args[1:]
                for a in args:
                    if inn and isinstance(a,ast.Constant) and isinstance(a.value,str):
                        new=None
                        if (ctx,a.value) in ctxby: new=ctxby[ctx,a.value]['new']; used.add((ctx,a.value))
                        else:
                            for e in maps:
                                if e.get('old_plural')==a.value and e['ctx']==ctx: new=e['new_plural']
                        if new is not None and new!=a.value:
                            reps.append((off[a.lineno-1]+a.col_offset,off[a.end_lineno-1]+a.end_col_offset,new,a.col_offset))
            for c in ast.iter_child_nodes(n): visit(c,False)
        visit(tree,False)
        if reps:
            b=src.encode()
            for s,e,new,col in sorted(reps,reverse=True):
                b=b[:s]+lit(new,col).encode()+b[e:]
            out=b.decode(); ast.parse(out); p.write_text(out)
    elif f.endswith(('.html','.txt')) and f.startswith('templates') or ('/templates/' in f):
        src=p.read_text(); o=src
        def tr(m):
            q=m.group(3); s=q[1:-1]
            cm=re.search(r'context\s+["\']([^"\']*)["\']',m.group(4)); ctx=cm.group(1) if cm else None
            e=ctxby.get((ctx,s))
            if e is None: return m.group(0)
            used.add((ctx,s)); new=e['new']
            qq='"' if '"' not in new else "'"
            if qq in new: log.append(f'{f}: quote {new}'); return m.group(0)
            return m.group(1)+m.group(2)+qq+new+qq+m.group(4)
        src=re.sub(r'(\{%-?\s*)((?:translate|trans)\s+)("[^"]*"|\'[^\']*\')([^%]*%\})',tr,src)
        def bt(m):
            head,body=m.group(1),m.group(2)
            cm=re.search(r'context\s+["\']([^"\']*)["\']',head); ctx=cm.group(1) if cm else None
            trimmed='trimmed' in head
            pl=re.split(r'\{%\s*plural\s*%\}',body)
            def key(t):
                if trimmed: t=' '.join(l.strip() for l in t.split('\n') if l.strip())
                t=t.replace('%','%%')
                return re.sub(r'\{\{\s*(\w+)\s*\}\}',r'%(\1)s',t)
            k=key(pl[0]); e=ctxby.get((ctx,k))
            if e is None: return m.group(0)
            used.add((ctx,k))
            def back(t,old):
                t=re.sub(r'%\((\w+)\)s',r'{{ \1 }}',t).replace('%%','%')
                lead=re.match(r'\s*',old).group(0); tail=re.search(r'\s*$',old).group(0)
                return lead+t+tail if trimmed else t
            nb=back(e['new'],pl[0])
            if len(pl)==2: nb=nb+'{% plural %}'+back(e['new_plural'] or e['old_plural'],pl[1])
            return head+nb+m.group(3)
        src=re.sub(r'(\{%\s*blocktrans(?:late)?\b[^%]*%\})(.*?)(\{%\s*endblocktrans(?:late)?\s*%\})',bt,src,flags=re.S)
        if src!=o: p.write_text(src)
missing=[e for k,e in ctxby.items() if k not in used]
print('used',len(used),'missing',len(missing),*log,sep='\n')
for e in missing: print('  MISSING',e['ctx'],repr(e['old'])[:110])
json.dump([list(k) for k in used],open('used.json','w'))
