import json,sys,polib,pathlib
root=pathlib.Path(sys.argv[1]); maps=[]
for m in sys.argv[2:]: maps+=json.load(open(m))
used={tuple(x) for x in json.load(open('used.json'))}
for po in root.glob('locale/*/LC_MESSAGES/django.po'):
    f=polib.pofile(str(po),wrapwidth=0)
    idx={(e.msgctxt,e.msgid):e for e in f}
    n=0
    for m in maps:
        if (m['ctx'],m['old']) not in used: continue
        e=idx.get((m['ctx'],m['old']))
        if e is None: continue
        n+=1
        if e.msgstr==e.msgid: e.msgstr=m['new']
        e.msgid=m['new']
        if m.get('new_plural'):
            if e.msgstr_plural:
                olds={0:m['old'],1:m['old_plural']}; news={0:m['new'],1:m['new_plural']}
                for k,v in e.msgstr_plural.items():
                    if v in olds.values(): e.msgstr_plural[k]=news[min(k,1)]
            e.msgid_plural=m['new_plural']
    f.save()
    print(po,n)
